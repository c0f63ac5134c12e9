/** A step of an axis: a bar, or a moment of all series. */
export interface PlotStep {
  key: string;
  label: string;
  /** Axis label, where `label` is too long for it. */
  tick?: string;
  /** Its values as a sentence; by default one line for each series. */
  said?: string;
  /** Details of this step. */
  href?: string;
}

/** The middle of a step as a share of the width: all steps are equally wide, so that plots of the same steps align. */
export function middleOf(index: number, count: number): number {
  return (index + 0.5) / Math.max(1, count);
}
