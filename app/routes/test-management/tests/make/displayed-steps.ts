import type { DisplayedCircle } from "./making";

/** Of all steps on a page; with the rest of the page below 100 KB for paths of any length. */
const maxCharacters = 40_000;
/** Of a step, without its words. */
const markup = 200;

/** Omits the steps of circles that no longer fit on the page, except those of the opened circle; a link leads to them. */
export function limitSteps(circles: DisplayedCircle[], openedKey: string | undefined): DisplayedCircle[] {
  let left = maxCharacters;
  const fits = (circle: DisplayedCircle) => {
    left -= getLength(circle);
    return left >= 0;
  };
  const opened = circles.find(({ key }) => key === openedKey);
  if (opened) fits(opened);
  return circles.map((circle) => {
    if (circle === opened) return { ...circle, isOpen: true };
    return fits(circle) ? circle : { ...circle, steps: undefined, leftOut: [] };
  });
}

function getLength({ steps = [], leftOut }: DisplayedCircle): number {
  const words = [
    ...steps.map(({ path, name, why }) => path + name + why),
    ...leftOut.map(({ operation, reason }) => operation.path + reason),
  ];
  return words.reduce((sum, text) => sum + markup + text.length, 0);
}
