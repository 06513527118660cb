import { render } from "solid-js/web";
import "uplot/dist/uPlot.min.css";
import { App, type Data } from "./app";
import { carried } from "./link";
import "./style.css";

const module = carried("core").then((bytes) => WebAssembly.compile(bytes));
const app = document.getElementById("app")!;
try {
  const data: Data = JSON.parse(new TextDecoder().decode(await carried("data")));
  app.textContent = "";
  const start = location.hash || (document.getElementById("start")?.textContent ?? "");
  render(() => <App data={data} module={module} start={start} />, app);
} catch (why) {
  app.textContent = `The page is damaged: ${why instanceof Error ? why.message : why}`;
}
