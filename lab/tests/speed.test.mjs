// Counts of the work that a change of the page causes. They do not depend on the load of the machine; `measure.mjs` measures times.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { begin, changed, done, end, link, open, plain, ran } from "./browser.mjs";

before(begin);
after(end);

/** Returns the elements that a change adds to the page, and how many times the page is laid out for it. */
async function worked(page, change) {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const layouts = async () => (await session.send("Performance.getMetrics")).metrics.find(({ name }) => name === "LayoutCount").value;
  await page.evaluate(() => {
    globalThis.added = 0;
    globalThis.observer = new MutationObserver((all) => (globalThis.added += all.flatMap(({ addedNodes }) => [...addedNodes]).filter((node) => node.nodeType === 1).length));
    globalThis.observer.observe(document.body, { childList: true, subtree: true });
  });
  const before = await layouts();
  await change();
  return { added: await page.evaluate(() => (globalThis.observer.disconnect(), globalThis.added)), layouts: (await layouts()) - before };
}

test("a change alters what is there, and adds next to nothing to the page", async () => {
  const tab = await open();
  await ran(tab.page);
  const slider = tab.page.getByRole("slider", { name: "Rate (link.bottleneck.rate)" });
  await slider.focus();
  const { added } = await worked(tab.page, () => changed(tab.page, () => tab.page.keyboard.press("PageUp")));
  assert.ok(added < 40, `${added} elements`);
  await done(tab);
});

test("while a slider moves, a run that has begun is shown before the next one", async () => {
  const tab = await open(link(plain));
  await ran(tab.page);
  const slider = tab.page.getByRole("slider", { name: "Rate (link.bottleneck.rate)" });
  /** Moves the slider twice at once; returns how many runs are shown for it. */
  const shown = (from) => slider.evaluate(async (slider, from) => {
    const facts = document.querySelector("[data-took]");
    let count = 0;
    const observer = new MutationObserver(() => count++);
    observer.observe(facts, { attributes: true, attributeFilter: ["data-took"] });
    for (const value of [from, from + 20]) {
      slider.value = String(value);
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    while (document.querySelector(".right[aria-busy=true]") || count === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await new Promise((resolve) => setTimeout(resolve, 2500));
    observer.disconnect();
    return count;
  }, from);
  // On a machine that others load, a run may last longer than it is given.
  const counts = [];
  for (let i = 0; i < 6 && !counts.includes(2); i++) counts.push(await shown(300 + 50 * i));
  assert.ok(counts.includes(2), `shown for two moves: ${counts}`);
  await done(tab);
});

test("a moving picture costs a picture, and no layout of the page", async () => {
  const tab = await open();
  await ran(tab.page);
  await tab.page.getByRole("button", { name: "Play" }).click();
  let pictures = 0;
  const { added, layouts } = await worked(tab.page, async () => {
    pictures = await tab.page.evaluate(async () => {
      const began = performance.now();
      let count = 0;
      for (; performance.now() - began < 2000 || count < 40; count++) await new Promise((resolve) => requestAnimationFrame(resolve));
      return count;
    });
  });
  // Numbers change eight times a second at most; nothing else needs a layout.
  assert.ok(layouts < Math.max(0.7 * pictures, 30), `${layouts} layouts for ${pictures} pictures`);
  assert.ok(added < 10, `${added} elements`);
  await done(tab);
});
