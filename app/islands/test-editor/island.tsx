import { hydrateIsland } from "~/islands/hydrate-island";
import { TestEditor } from "./test-editor.tsx";

export const hydrate = hydrateIsland(TestEditor);
