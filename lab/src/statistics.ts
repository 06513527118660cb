// Means with Student-t intervals, and paired differences of replications with the same seeds.

export interface Interval {
  n: number;
  mean: number;
  /** Half of the interval's width; NaN with fewer than two values. */
  half: number;
  deviation: number;
}

/** Logarithm of the gamma function (Lanczos 1964). */
function logGamma(x: number): number {
  const c = [76.18009172947146, -86.50532032941677, 24.01409824083091, -1.231739572450155, 0.1208650973866179e-2, -0.5395239384953e-5];
  const t = x + 5.5 - (x + 0.5) * Math.log(x + 5.5);
  return -t + Math.log((2.5066282746310005 * c.reduce((sum, one, i) => sum + one / (x + 1 + i), 1.000000000190015)) / x);
}

/** Regularized incomplete beta function, by its continued fraction (Lentz). */
function beta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - beta(1 - x, b, a);
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x)) / a;
  const safe = (value: number) => (Math.abs(value) < 1e-30 ? 1e-30 : value);
  let c = 1;
  let d = 1 / safe(1 - ((a + b) * x) / (a + 1));
  let h = d;
  for (let m = 1; m <= 300; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / safe(1 + even * d);
    c = safe(1 + even / c);
    h *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / safe(1 + odd * d);
    c = safe(1 + odd / c);
    h *= d * c;
    if (Math.abs(d * c - 1) < 1e-13) break;
  }
  return front * h;
}

/** Returns the two-sided p value of Student's t with `n` degrees of freedom. */
export function pValue(t: number, n: number): number {
  return beta(n / (n + t * t), n / 2, 0.5);
}

/** Returns the t for which the share `1 - level` of the distribution lies outside -t to t. */
export function quantile(level: number, n: number): number {
  let [low, high] = [0, 1e4];
  for (let i = 0; i < 100; i++) {
    const middle = (low + high) / 2;
    if (pValue(middle, n) > 1 - level) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Returns the mean of values with its interval. */
export function interval(values: number[], level = 0.95): Interval {
  const n = values.length;
  const mean = values.reduce((sum, one) => sum + one, 0) / n;
  const deviation = n > 1 ? Math.sqrt(values.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (n - 1)) : NaN;
  return { n, mean, deviation, half: n > 1 ? (quantile(level, n - 1) * deviation) / Math.sqrt(n) : NaN };
}
