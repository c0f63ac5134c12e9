/**
 * Shows a step's values on hover and by keyboard: one tab stop per plot, arrow keys move, Enter opens what ran,
 * Escape leaves. All values are the server's, of which only a plot's areas, its line of words and its table are used: no
 * React, and nothing computed. The plots of one element have the same steps, so a chosen one shows in all.
 */
export function hydrate(element: HTMLElement): void {
  const plots = [...element.querySelectorAll<HTMLElement>("[data-ground]")].map(readPlot);
  const choose = (index: number | undefined, hint = "") => {
    for (const plot of plots) plot.show(index, hint);
  };
  for (const plot of plots) listen(plot, choose);
}

type Plot = ReturnType<typeof readPlot>;

function readPlot(ground: HTMLElement) {
  const figure = ground.closest("figure")!;
  const readout = figure.querySelector<HTMLElement>("[data-readout]")!;
  const usual = readout.textContent;
  const areas = [...ground.querySelectorAll<SVGElement>("[data-step]")];
  const said = areas.map((area) => {
    const title = area.querySelector("title")!;
    // Instead of the browser's own tooltip.
    title.remove();
    return title.textContent;
  });
  const links = [...figure.querySelectorAll("tbody tr")].map((row) => row.querySelector("a")?.href);
  let chosen: number | undefined;
  ground.tabIndex = 0;
  const attributes = {
    ...{ role: "slider", "aria-label": ground.dataset.ground!, "aria-valuemin": "0", "aria-valuenow": "0" },
    ...{ "aria-valuemax": String(areas.length - 1), "aria-valuetext": usual ?? "" },
    "aria-description": "Arrow keys move along the time. Enter opens the runs. Escape leaves.",
  };
  for (const [name, value] of Object.entries(attributes)) ground.setAttribute(name, value);
  return {
    ground,
    areas,
    links,
    get chosen() {
      return chosen;
    },
    /** The last step in which something ran. */
    last: Math.max(
      0,
      areas.findLastIndex((area) => area.dataset.step === "leads"),
    ),
    show(index: number | undefined, hint: string) {
      if (chosen !== undefined) delete areas[chosen]?.dataset.at;
      chosen = index;
      const words = index === undefined ? usual : said[index];
      readout.textContent = index !== undefined && links[index] && hint ? `${words} (${hint})` : (words ?? "");
      readout.toggleAttribute("data-chosen", index !== undefined);
      ground.toggleAttribute("data-leads", index !== undefined && links[index] !== undefined);
      if (index === undefined) return;
      areas[index]!.dataset.at = "";
      ground.setAttribute("aria-valuenow", String(index));
      ground.setAttribute("aria-valuetext", words ?? "");
    },
  };
}

const keys: Record<string, (at: number, count: number) => number> = {
  ArrowLeft: (at) => at - 1,
  ArrowDown: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  ArrowUp: (at) => at + 1,
  PageUp: (at) => at + 6,
  PageDown: (at) => at - 6,
  Home: () => 0,
  End: (_, count) => count - 1,
};

function listen(plot: Plot, choose: (index: number | undefined, hint?: string) => void) {
  const { ground, areas, links } = plot;
  const find = ({ target }: Event) => {
    const index = areas.indexOf(target as SVGElement);
    return index < 0 ? undefined : index;
  };
  let wasTouched: number | undefined;
  ground.addEventListener("focus", () => {
    if (ground.matches(":focus-visible")) choose(plot.chosen ?? plot.last, "Enter: its runs");
  });
  ground.addEventListener("blur", () => choose(undefined));
  ground.addEventListener("keydown", (event) => {
    const { key } = event;
    const at = plot.chosen ?? plot.last;
    if (key === "Escape") ground.blur();
    else if (key === "Enter" && links[at]) location.assign(links[at]);
    else if (keys[key] && !event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      choose(Math.min(areas.length - 1, Math.max(0, keys[key](at, areas.length))), "Enter: its runs");
    }
  });
  ground.addEventListener("pointerdown", () => {
    wasTouched = plot.chosen;
  });
  ground.addEventListener("pointermove", (event) => {
    const index = find(event);
    const hint = event.pointerType === "touch" ? "tap again for its runs" : "press for its runs";
    if (index !== undefined) choose(index, hint);
  });
  ground.addEventListener("pointerleave", (event) => {
    if (event.pointerType !== "touch") choose(undefined);
  });
  ground.addEventListener("click", (event) => {
    const index = find(event);
    if (index === undefined) return;
    const isFirstTouch = (event as PointerEvent).pointerType === "touch" && wasTouched !== index;
    if (isFirstTouch || !links[index]) choose(index, "tap again for its runs");
    else if (event.ctrlKey || event.metaKey) open(links[index]);
    else location.assign(links[index]);
  });
}
