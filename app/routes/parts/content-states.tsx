import { ActionItem, ActionList } from "~/ui/action-list/action-list";
import { Badge } from "~/ui/badge/badge";
import { Button, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { CodeBlock } from "~/ui/code-block/code-block";
import * as count from "~/ui/count/count-badge.css";
import { plural } from "~/ui/count/plural";
import { DefinitionList } from "~/ui/definition-list/definition-list";
import { Disclosure } from "~/ui/disclosure/disclosure";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { Icon, type IconName } from "~/ui/icon/icon";
import { iconPaths } from "~/ui/icon/icon-paths";
import { Illustration, type IllustrationName } from "~/ui/illustration/illustration";
import { illustrationPaths } from "~/ui/illustration/illustration-paths";
import { JsonView } from "~/ui/json-view/json-view";
import { Grid, Row, Stack } from "~/ui/layout/layout";
import { Method } from "~/ui/method/method";
import { Ago } from "~/ui/moment/ago";
import { Moment } from "~/ui/moment/moment";
import { ZonedMoment } from "~/ui/moment/zoned-moment";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Prose } from "~/ui/prose/prose";
import { Stats } from "~/ui/stat/stat";
import { Table } from "~/ui/table/table";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import type { PartStates } from "./part-states";

const at = "2026-03-14T09:26:53Z";
const code = '{\n  "id": "p-7",\n  "price": "29.00"\n}';
const products = [
  { id: "p-1", name: "Notebook", price: 4.5 },
  { id: "p-7", name: "Fountain pen", price: 29 },
];
const columns = [
  { key: "name", header: "Name", rowHeader: true, cell: ({ name }: (typeof products)[0]) => name },
  { key: "price", header: "Price", numeric: true, cell: ({ price }: (typeof products)[0]) => price.toFixed(2) },
];

/** Parts that display something. */
export const contentStates: PartStates = (id) => ({
  "action-list": {
    plain: (
      <ActionList>
        <ActionItem title="Register an API" headingLevel={3} description="From its OpenAPI document.">
          <Button>Register</Button>
        </ActionItem>
      </ActionList>
    ),
    ordered: (
      <ActionList ordered>
        <ActionItem title="Register an API" headingLevel={3} description="From its OpenAPI document." />
        <ActionItem title="Generate tests" headingLevel={3} description="For all its operations." />
      </ActionList>
    ),
  },
  button: {
    variants: (
      <Row>
        <Button variant="primary">Primary</Button>
        <Button>Secondary</Button>
        <Button variant="quiet">Quiet</Button>
        <Button variant="danger">Danger</Button>
      </Row>
    ),
    sizes: (
      <Row>
        <Button size="small">Small</Button>
        <Button size="medium">Medium</Button>
        <Button size="large">Large</Button>
      </Row>
    ),
    busy: <Button busy>Running</Button>,
    disabled: <Button disabled>Disabled</Button>,
    "icon alone": (
      <Button icon="pencil" labelHidden>
        Edit
      </Button>
    ),
    "link, full width": (
      <LinkButton href="#" iconAfter="chevron-down" fullWidth>
        A link
      </LinkButton>
    ),
  },
  card: {
    plain: <Card title="Card">What belongs together.</Card>,
    "with all": (
      <Card title="Card" description="Of what it is." actions={<Button size="small">Edit</Button>} footer="Footer">
        What belongs together.
      </Card>
    ),
    flush: (
      <Card title="Flush" flush>
        <Table caption="Products" captionHidden columns={columns} rows={products} rowKey={({ id }) => id} bare />
      </Card>
    ),
  },
  "code-block": {
    plain: <CodeBlock label="Response" code={code} />,
    "marked, to copy": (
      <CodeBlock
        id={id("code")}
        label="Response"
        code={code}
        copy
        marks={[{ line: 3, tone: "danger", note: "Not a number" }]}
      />
    ),
    wrapped: <CodeBlock label="Long line" code={"long ".repeat(60)} wrap firstLine={12} />,
  },
  count: {
    badge: <span className={count.countBadge}>12</span>,
    "in words": `${plural(1, "test")}, ${plural(2, "test")}`,
  },
  "definition-list": {
    rows: (
      <DefinitionList
        items={[
          { term: "Method", value: "GET" },
          { term: "Path", value: "/products" },
        ]}
      />
    ),
    columns: (
      <DefinitionList
        look="columns"
        items={[
          { term: "Method", value: "GET" },
          { term: "Path", value: "/products" },
        ]}
      />
    ),
  },
  disclosure: {
    closed: <Disclosure summary="More">What is seldom needed.</Disclosure>,
    open: (
      <Disclosure summary="Less" open>
        What is seldom needed.
      </Disclosure>
    ),
    framed: (
      <Disclosure summary="Framed" look="framed" open>
        What is seldom needed.
      </Disclosure>
    ),
  },
  "empty-state": {
    plain: <EmptyState title="No tests yet">Generated from the document.</EmptyState>,
    "with action": (
      <EmptyState
        title="No tests yet"
        illustration="tests"
        action={<Button variant="primary">Generate tests</Button>}
      />
    ),
  },
  illustration: {
    all: (
      <Row>
        {(Object.keys(illustrationPaths) as IllustrationName[]).map((name) => (
          <Illustration key={name} name={name} />
        ))}
      </Row>
    ),
  },
  icon: {
    all: (
      <Row>
        {(Object.keys(iconPaths) as IconName[]).map((name) => (
          <Icon key={name} name={name} aria-label={name} />
        ))}
      </Row>
    ),
  },
  "json-view": {
    plain: <JsonView id={id("json")} label="Body" text={code} />,
    highlighted: (
      <JsonView
        id={id("json-marked")}
        label="Body"
        text={code}
        highlights={[{ pointer: "/price", tone: "danger", note: "Not a number" }]}
      />
    ),
  },
  layout: {
    stack: (
      <Stack gap="small">
        <Badge>One</Badge>
        <Badge>Two</Badge>
      </Stack>
    ),
    row: (
      <Row justify="between">
        <Badge>One</Badge>
        <Badge>Two</Badge>
      </Row>
    ),
    grid: (
      <Grid cell="small">
        <Card>One</Card>
        <Card>Two</Card>
      </Grid>
    ),
  },
  method: {
    methods: (
      <Row>
        {["get", "post", "put", "patch", "delete", "options", "subscribe"].map((method) => (
          <Method key={method} method={method} />
        ))}
      </Row>
    ),
  },
  moment: {
    plain: <Moment value={at} />,
    precise: <Moment value={at} precise />,
    ago: <Ago value={at} now="2026-03-14T10:00:00Z" />,
    "in a zone": <ZonedMoment at={at} local="2026-03-14T10:26:53+01:00" timeZone="Europe/Berlin" />,
  },
  "page-heading": {
    plain: <PageHeading title="Products" />,
    "with all": (
      <PageHeading
        title="Products"
        description="What there is to buy."
        mark={<Badge>v1</Badge>}
        breadcrumbs={[{ label: "Shop", href: "#" }, { label: "Products" }]}
        actions={<Button>Add</Button>}
      />
    ),
  },
  prose: {
    text: (
      <Prose>
        <h2>A heading</h2>
        <p>
          A paragraph with a <a href="#prose">link to prose</a> and <code>code</code>.
        </p>
      </Prose>
    ),
  },
  stat: {
    plain: (
      <Stats
        items={[
          { label: "Passed", value: 97, unit: "%", tone: "success", detail: "of 120 runs" },
          { label: "Failed", value: 3, tone: "danger", href: "#" },
        ]}
      />
    ),
  },
  table: {
    rows: <Table caption="Products" columns={columns} rows={products} rowKey={({ id }) => id} />,
    edged: (
      <Table
        caption="Products, the first with an edge"
        columns={columns}
        rows={products}
        rowKey={({ id }) => id}
        rowEdge={({ id }) => (id === "p-1" ? "danger" : undefined)}
      />
    ),
    sorted: (
      <Table
        caption="Products by name"
        columns={columns.map((column) => ({ ...column, sort: { href: "#", direction: "ascending" as const } }))}
        rows={products}
        rowKey={({ id }) => id}
      />
    ),
  },
  "visually-hidden": { hidden: <VisuallyHidden>For screen readers only.</VisuallyHidden> },
});
