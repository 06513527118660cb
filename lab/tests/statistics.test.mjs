// Quantiles and p values of Student's t against tables, and intervals worked by hand.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { transformWithOxc } from "vite";

const file = new URL("../src/statistics.ts", import.meta.url);
const { code } = await transformWithOxc(readFileSync(file, "utf8"), "statistics.ts");
const { interval, pValue, quantile } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
const near = (found, wanted, within) => assert.ok(Math.abs(found - wanted) < within, `${found} instead of ${wanted}`);

test("quantiles are those of the tables", () => {
  for (const [n, wanted] of [[1, 12.7062], [2, 4.3027], [4, 2.7764], [9, 2.2622], [19, 2.093], [29, 2.0452], [120, 1.9799]]) near(quantile(0.95, n), wanted, 1e-4);
  near(quantile(0.99, 10), 3.1693, 1e-4);
});

test("p values are those of the tables", () => {
  near(pValue(2.2622, 9), 0.05, 1e-5);
  near(pValue(0, 5), 1, 1e-12);
  near(pValue(1, 1), 0.5, 1e-9);
});

test("an interval worked by hand", () => {
  // 2, 4, 6: mean 4, deviation 2, half width 4.3027 × 2 / √3.
  const { mean, deviation, half } = interval([2, 4, 6]);
  near(mean, 4, 1e-12);
  near(deviation, 2, 1e-12);
  near(half, 4.96828, 1e-4);
  assert.ok(Number.isNaN(interval([1]).half));
});
