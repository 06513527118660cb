//! A model of saturated stations that is more precise than Bianchi's if windows are small or differ, or frames are short.

/// Saturated stations of one kind, in a model of the medium's slots.
///
/// In Bianchi's chain every counter goes down in every slot, including busy slots. That is too coarse if windows are small and
/// differ. Right after a frame and AIFS only the station that has just transmitted can send, if it draws 0, since the counters of
/// all others are at least 1 (I. Tinnirello, G. Bianchi, Y. Xiao, "Refinements on IEEE 802.11 distributed coordination function
/// modeling approaches", IEEE Trans. Vehicular Technology 59(3), 2010). So an attempt after a draw of 0 cannot collide, and all
/// other attempts come at the end of an idle slot. The case that two stations collide and then both draw 0 is left out.
pub struct Kind {
    pub stations: i32,
    pub window: [u32; 2],
}

/// Returns means per new packet between two draws above 0: attempts that may collide, idle slots, attempts that
/// cannot collide, packets delivered.
fn cycle(window: [u32; 2], p: f64) -> [f64; 4] {
    let zero = |w: u32| 1.0 / f64::from(w + 1);
    let (mut met, mut slots, mut alone, mut weight, mut w) = (0.0, 0.0, 0.0, 1.0, window[0]);
    for _ in 0..6 {
        met += weight;
        slots += weight * f64::from(w + 1) / 2.0;
        w = (2 * w + 1).min(window[1]);
        alone += weight * p * zero(w);
        weight *= p * (1.0 - zero(w));
    }
    met += weight;
    slots += weight * f64::from(w + 1) / 2.0;
    let again = zero(window[0]) / (1.0 - zero(window[0]));
    [met, slots, alone + again, 1.0 - weight * p + again]
}

/// Returns the fixed point for two kinds of stations: share of the first kind in deliveries, and packets per microsecond.
///
/// Times are in us; a frame's includes the interframe space. A collision lasts as long as its longest frame.
pub fn shares(kinds: [&Kind; 2], slot: f64, frame: [f64; 2]) -> (f64, f64) {
    let power = |base: f64, n: i32| libm::pow(base, f64::from(n));
    let others = |tau: [f64; 2], i: usize| {
        power(1.0 - tau[i], kinds[i].stations - 1) * power(1.0 - tau[1 - i], kinds[1 - i].stations)
    };
    let mut tau = [0.05, 0.05];
    let mut cycles = [[0.0; 4]; 2];
    for _ in 0..2000 {
        cycles = [0, 1].map(|i| cycle(kinds[i].window, 1.0 - others(tau, i)));
        tau = [0, 1].map(|i| 0.9 * tau[i] + 0.1 * cycles[i][0] / cycles[i][1]);
    }
    // A step is an idle slot together with the transmissions that begin at its end.
    let rate = |i: usize, what: usize| f64::from(kinds[i].stations) * tau[i] / cycles[i][0] * cycles[i][what];
    let idle = power(1.0 - tau[0], kinds[0].stations) * power(1.0 - tau[1], kinds[1].stations);
    let longest = frame[0].max(frame[1]);
    let only = |i: usize| power(1.0 - tau[1 - i], kinds[1 - i].stations) - idle;
    let busy = only(0) * frame[0] + only(1) * frame[1] + (1.0 - idle - only(0) - only(1)) * longest;
    let step = slot + busy + rate(0, 2) * frame[0] + rate(1, 2) * frame[1];
    let delivered = [rate(0, 3), rate(1, 3)];
    let all = delivered[0] + delivered[1];
    (delivered[0] / all, all / step)
}
