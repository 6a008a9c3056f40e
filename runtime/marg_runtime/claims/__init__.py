"""What a model's sentence says of the record: that it was created, or that it was not (rule S3)."""

from marg_runtime.claims.claim import Claim, Claims
from marg_runtime.claims.words import ClaimWords, claim_languages, claim_words

__all__ = ["Claim", "ClaimWords", "Claims", "claim_languages", "claim_words"]
