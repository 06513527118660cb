// Measures the page in Chromium and prints the figures as JSON: `node lab/tests/measure.mjs`; PAGE names the page.
// Other programs on the machine make times longer, so each time is the shortest of several tries.

import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { deflateRawSync } from "node:zlib";
import { chromium } from "playwright-core";

const TRIES = Number(process.env.TRIES ?? 9);
const here = fileURLToPath(new URL(".", import.meta.url));
const PAGE = pathToFileURL(process.env.PAGE ?? join(here, "../../target/lab.html")).href;
const link = (state) => `#lab=${deflateRawSync(JSON.stringify({ example: "dumbbell", text: "", set: [], b: [], two: false, seed: 1, ...state })).toString("base64url")}`;
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });

async function open(hash, settings = {}) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, reducedMotion: "reduce", ...settings });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  await page.goto(PAGE + hash);
  return page;
}
const session = await browser.newBrowserCDPSession();
/** Returns the processor time of the pages' and the drawing processes so far, milliseconds. */
async function cpu() {
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  return 1000 * processInfo.filter(({ type }) => type !== "browser").reduce((sum, one) => sum + one.cpuTime, 0);
}
const ran = (page) => page.waitForSelector("[data-took]");
const close = (page) => page.context().close();
const figures = {};

// First paint and the first results, from disk.
const paints = [];
for (let i = 0; i < TRIES; i++) {
  const page = await open("");
  await ran(page);
  paints.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime));
  await close(page);
}
figures.first_paint_ms = Math.min(...paints);

// From a change of a slider to the new figures, of a dumbbell of 30 s with two runs and with one.
for (const [name, two] of [["one", false], ["two", true]]) {
  const page = await open(link({ two }));
  await ran(page);
  const slider = page.getByRole("slider", { name: "Rate (link.bottleneck.rate)" });
  const took = [];
  const core = [];
  const used = await cpu();
  for (let i = 0; i < TRIES; i++) {
    const before = await page.locator("[data-took]").getAttribute("data-took");
    await slider.focus();
    await page.keyboard.press(i % 2 ? "ArrowLeft" : "ArrowRight");
    await page.waitForFunction((before) => document.querySelector("[data-took]").dataset.took !== before, before);
    took.push(Number(await page.locator("[data-took]").getAttribute("data-took")));
    core.push(Number(/in (\d+) ms/.exec(await page.locator("[data-took]").innerText())[1]));
  }
  figures[`processor_per_change_${name}_ms`] = ((await cpu()) - used) / TRIES;
  figures[`change_to_figures_${name}_ms`] = Math.min(...took);
  figures[`of_it_run_${name}_ms`] = Math.min(...core);
  await close(page);
}

// Pictures a second with some 2000 packets in view, software rendering.
{
  // A window of 2600 segments over 100 ms each way.
  const text = `duration = "1s"\nlink = [{ between = ["a", "b"], rate = "1Gbps", delay = "100ms", queue = 3000 }]\nflow = [{ from = "a", to = "b", tcp = { variant = "sack", initial_window = 2600, max_window = 2600 } }]\n`;
  const page = await open(link({ example: null, text }));
  await ran(page);
  await page.getByRole("slider", { name: "Time of the simulation" }).fill("0.26");
  await page.getByLabel("Speed of the picture").selectOption({ label: "1000 times slower" });
  await page.getByRole("button", { name: "Play", exact: true }).click();
  const counted = () => page.evaluate(() => {
    globalThis.drawn ??= 0;
    const count = () => (globalThis.drawn++, requestAnimationFrame(count));
    if (!globalThis.drawn) count();
    return globalThis.drawn;
  });
  const [began, from] = [await counted(), await cpu()];
  await page.waitForTimeout(6000);
  const drawn = (await counted()) - began;
  figures.packets_in_view = Number(/(\d+) packets/.exec(await page.locator(".pace").innerText())[1]);
  figures.pictures_per_s = drawn / 6;
  figures.processor_per_picture_ms = ((await cpu()) - from) / drawn;
  await close(page);
}

// Stopping a run of more than 10^7 events.
{
  const page = await open(link({ set: [["link.bottleneck.rate", "10Gbps"], ["link.access0.rate", "10Gbps"], ["link.access1.rate", "10Gbps"], ["duration", "3000s"]] }));
  await page.getByRole("button", { name: "Run it to the end, without single packets" }).click();
  await page.getByRole("button", { name: "Stop" }).waitFor();
  await page.waitForTimeout(2000);
  figures.stop_ms = await page.evaluate(async () => {
    const began = performance.now();
    [...document.querySelectorAll(".busy button")].find((one) => one.textContent === "Stop").click();
    while (document.querySelector(".busy")) await new Promise((resolve) => requestAnimationFrame(resolve));
    return performance.now() - began;
  });
  await close(page);
}
console.log(JSON.stringify(figures, null, 1));
await browser.close();
