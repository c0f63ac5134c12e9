import { Hono } from "hono";
import { type Listener, listen } from "../../services/kit/service/listener.ts";

export interface Written {
  id: number;
  text: string;
}

export interface Forge extends Listener {
  origin: string;
  /** Comments of the one pull or merge request. */
  comments: Written[];
  requests: string[];
  /** Ids of comments that another user wrote. */
  foreign: Set<number>;
}

/** Comments on a page, so that lists have several. */
const perPage = 2;

/**
 * Stands in for the APIs of GitHub (https://docs.github.com/rest/issues/comments) and GitLab
 * (https://docs.gitlab.com/api/notes/#merge-requests), as far as a comment in a pull or merge request needs them.
 */
export async function startForge(token: string): Promise<Forge> {
  const comments: Written[] = [];
  const requests: string[] = [];
  const foreign = new Set<number>();
  const app = new Hono();
  let origin = "";
  app.use(async (c, next) => {
    requests.push(`${c.req.method} ${c.req.path}`);
    await next();
  });

  function toPage(c: { req: { url: string; query(name: string): string | undefined } }) {
    const page = Number(c.req.query("page") ?? 1);
    const next = new URL(c.req.url);
    next.searchParams.set("page", String(page + 1));
    const items = comments.slice((page - 1) * perPage, page * perPage);
    const link = `<${origin}${next.pathname}${next.search}>; rel="next", <${origin}/last>; rel="last"`;
    return { items, headers: comments.length > page * perPage ? { link } : undefined };
  }
  function add(text: string): Written {
    const comment = { id: comments.length + 100, text };
    comments.push(comment);
    return comment;
  }
  function change(id: number, text: string): Written | undefined {
    const comment = comments.find((one) => one.id === id);
    if (comment) comment.text = text;
    return comment;
  }

  const github = new Hono();
  const toIssueComment = ({ id, text }: Written) => ({
    id,
    body: text,
    html_url: `${origin}/pull/7#issuecomment-${id}`,
  });
  github.use(async (c, next) => {
    if (c.req.header("authorization") === `Bearer ${token}`) return await next();
    return c.json({ message: "Resource not accessible by integration", status: "403" }, 403);
  });
  github.get("/repos/shop/api/issues/7/comments", (c) => {
    const { items, headers } = toPage(c);
    return c.json(items.map(toIssueComment), 200, headers);
  });
  github.post("/repos/shop/api/issues/7/comments", async (c) => {
    const { body } = await c.req.json<{ body: string }>();
    return c.json(toIssueComment(add(body)), 201);
  });
  github.patch("/repos/shop/api/issues/comments/:id", async (c) => {
    const id = Number(c.req.param("id"));
    if (foreign.has(id)) return c.json({ message: "Resource not accessible by integration" }, 403);
    const { body } = await c.req.json<{ body: string }>();
    const changed = change(id, body);
    return changed ? c.json(toIssueComment(changed)) : c.json({ message: "Not Found" }, 404);
  });
  app.route("/github", github);

  const gitlab = new Hono();
  const toNote = ({ id, text }: Written) => ({ id, body: text, system: false });
  gitlab.use(async (c, next) => {
    if (c.req.header("private-token") === token) return await next();
    return c.json({ message: "401 Unauthorized" }, 401);
  });
  gitlab.get("/projects/12/merge_requests/7/notes", (c) => {
    const { items, headers } = toPage(c);
    return c.json(items.map(toNote), 200, headers);
  });
  gitlab.post("/projects/12/merge_requests/7/notes", async (c) => {
    const { body } = await c.req.json<{ body: string }>();
    return c.json(toNote(add(body)), 201);
  });
  gitlab.put("/projects/12/merge_requests/7/notes/:id", async (c) => {
    const { body } = await c.req.json<{ body: string }>();
    const changed = change(Number(c.req.param("id")), body);
    return changed ? c.json(toNote(changed)) : c.json({ message: "404 Not Found" }, 404);
  });
  app.route("/gitlab", gitlab);

  const listener = await listen(app.fetch, { host: "127.0.0.1", port: 0 });
  origin = `http://127.0.0.1:${listener.port}`;
  return { ...listener, origin, comments, requests, foreign };
}
