import { toKey } from "../plan/known.ts";
import type { OpenScene } from "./scene.ts";
import { type Exploring, Trial } from "./trial.ts";

/** Removes what one needs before the one itself: whatever a server does about it has to be documented. */
export async function exploreNeeded(exploring: Exploring, scene: OpenScene): Promise<void> {
  const { own, closing, resource } = scene;
  const { session, findings, parts } = exploring;
  const needed = closing.filter(
    ({ operation, test }) => own && toKey(operation) !== toKey(own.removal.operation) && test.method === "delete",
  );
  if (!own || needed.length === 0 || session.isOver) return;
  const trial = new Trial(exploring, scene, false);
  for (const step of needed) {
    if (session.isOver) break;
    await trial.send(step);
  }
  const { read } = resource?.operations ?? {};
  const draft = read && parts.tests.call(read, { own: resource });
  if (draft && !session.isOver) {
    const { test } = draft;
    await trial.send({ operation: draft.operation, test: { ...test, assertions: [], checks: ["not_a_server_error"] } });
  }
  for (const sighting of trial.sightings) {
    if (!findings.seeAgain(sighting.violation, sighting.operation)) findings.add({ ...sighting, isRepeated: false });
  }
}
