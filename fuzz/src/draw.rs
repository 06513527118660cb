//! Numbers drawn from a fuzzer's input.

use base::{Duration, Instant};

/// The rest of an input. Once it is used up, every draw is 0.
pub struct Draw<'a>(&'a [u8]);

impl<'a> Draw<'a> {
    /// Begins at the first byte of `data`.
    pub fn new(data: &'a [u8]) -> Self {
        Self(data)
    }

    /// Returns true if the input is used up.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the next byte.
    pub fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// Returns a number of 1, 2, 4 or 8 bytes.
    pub fn number(&mut self) -> u64 {
        let length = [1, 2, 4, 8][usize::from(self.byte() % 4)];
        (0..length).fold(0, |number, _| number << 8 | u64::from(self.byte()))
    }

    /// Returns a number below `bound`, which is at most 65 536; 0 if `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        let number = match bound {
            0..=256 => u64::from(self.byte()),
            _ => u64::from(self.byte()) << 8 | u64::from(self.byte()),
        };
        number % bound.max(1)
    }

    /// Returns true or false.
    pub fn flag(&mut self) -> bool {
        self.byte() % 2 == 1
    }

    /// Returns one of `items`, of which there are 1 to 65 536.
    pub fn of<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize].clone()
    }

    /// Returns `now` or an instant up to about 8 s later; half of the steps are at most 4 ms.
    pub fn later(&mut self, now: Instant) -> Instant {
        let byte = u32::from(self.byte());
        let step = Duration::from_us(u64::from(byte % 64) << (byte / 64 * 6).min(17));
        if byte % 64 == 63 && self.flag() {
            now + Duration::from_us(u64::from(byte) << 15)
        } else {
            now + step
        }
    }

    /// Returns a number that a careless program might hand over: ordinary, huge, tiny, negative or not finite.
    pub fn float(&mut self) -> f64 {
        match self.below(12) {
            0 => f64::NAN,
            1 => f64::INFINITY,
            2 => f64::NEG_INFINITY,
            3 => f64::from_bits(self.number()),
            4 => 0.0,
            5 => -1.0,
            6 => 1e9,
            7 => 1e308,
            8 => 0.5,
            _ => self.below(4096) as f64 / 16.0,
        }
    }
}
