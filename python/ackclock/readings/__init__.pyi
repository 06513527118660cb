from .digits import Finding as Finding
from .digits import digits as digits
from .published import Number as Number
from .published import Published as Published
from .published import read as read
