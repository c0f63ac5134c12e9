/** The portal of `npm run dev`: the same process, with pages served by Vite from the working tree. */
import { refuseStart } from "../../services/kit/service/start-refused.ts";
import { start } from "../start.ts";
import { openVitePages } from "./vite-pages.ts";

start(openVitePages()).catch(refuseStart);
