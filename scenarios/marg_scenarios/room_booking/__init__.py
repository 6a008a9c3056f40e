"""The second example domain: meeting rooms, with a form, a picker, multi chips, an optional step and a review.

`server` runs as a program and needs the extra `mcp`, so it is not imported here.
"""

from .rooms import Booking, NewBooking, Room, Rooms

__all__ = ["Booking", "NewBooking", "Room", "Rooms"]
