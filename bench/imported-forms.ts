/** What the statements look at. */
export const body = {
  id: 7,
  name: "Rex",
  tags: ["dog", "old"],
  owner: { name: "Ada", age: 36 },
  price: 12.5,
  sold: false,
  note: null,
};

/** Statements with a response that they pass; `failing` are the same with one that they fail. */
export const forms: { name: string; passing: string; failing: string }[] = [
  { name: "status", passing: "pm.response.to.have.status(200)", failing: "pm.response.to.have.status(201)" },
  {
    name: "status by its words",
    passing: "pm.response.to.have.status('OK')",
    failing: "pm.response.to.have.status('Created')",
  },
  {
    name: "code equals",
    passing: "pm.expect(pm.response.code).to.equal(200)",
    failing: "pm.expect(pm.response.code).to.equal(204)",
  },
  {
    name: "code is one of",
    passing: "pm.expect(pm.response.code).to.be.oneOf([200, 201])",
    failing: "pm.expect(pm.response.code).to.be.oneOf([201, 202])",
  },
  { name: "ok", passing: "pm.response.to.be.ok", failing: "pm.response.to.be.notFound" },
  { name: "no error", passing: "pm.response.to.not.be.error", failing: "pm.response.to.be.error" },
  { name: "JSON", passing: "pm.response.to.be.json", failing: "pm.response.to.not.be.json" },
  {
    name: "response time",
    passing: "pm.expect(pm.response.responseTime).to.be.below(20000)",
    failing: "pm.expect(pm.response.responseTime).to.be.above(20000)",
  },
  {
    name: "header is there",
    passing: "pm.response.to.have.header('X-Kind')",
    failing: "pm.response.to.have.header('X-Missing')",
  },
  {
    name: "header equals",
    passing: "pm.response.to.have.header('X-Kind', 'pet')",
    failing: "pm.response.to.have.header('X-Kind', 'car')",
  },
  {
    name: "header contains",
    passing: "pm.expect(pm.response.headers.get('Content-Type')).to.include('json')",
    failing: "pm.expect(pm.response.headers.get('Content-Type')).to.include('xml')",
  },
  {
    name: "body contains",
    passing: "pm.expect(pm.response.text()).to.include('Rex')",
    failing: "pm.expect(pm.response.text()).to.include('Max')",
  },
  {
    name: "value equals",
    passing: "pm.expect(json.owner.name).to.eql('Ada')",
    failing: "pm.expect(json.owner.name).to.eql('Bob')",
  },
  { name: "number equals", passing: "pm.expect(json.id).to.equal(7)", failing: "pm.expect(json.id).to.equal('7')" },
  {
    name: "value in a list",
    passing: "pm.expect(json.tags[1]).to.eql('old')",
    failing: "pm.expect(json.tags[2]).to.eql('old')",
  },
  {
    name: "object equals",
    passing: "pm.expect(json.owner).to.eql({ name: 'Ada', age: 36 })",
    failing: "pm.expect(json.owner).to.eql({ name: 'Ada' })",
  },
  {
    name: "member is there",
    passing: "pm.expect(json).to.have.property('name')",
    failing: "pm.expect(json).to.have.property('surname')",
  },
  {
    name: "member equals",
    passing: "pm.expect(json).to.have.property('name', 'Rex')",
    failing: "pm.expect(json).to.have.property('name', 'Max')",
  },
  {
    name: "members",
    passing: "pm.expect(json).to.include.keys('id', 'name')",
    failing: "pm.expect(json).to.include.keys('id', 'surname')",
  },
  {
    name: "type of number",
    passing: "pm.expect(json.price).to.be.a('number')",
    failing: "pm.expect(json.price).to.be.a('string')",
  },
  {
    name: "type of list",
    passing: "pm.expect(json.tags).to.be.an('array')",
    failing: "pm.expect(json.owner).to.be.an('array')",
  },
  {
    name: "length",
    passing: "pm.expect(json.tags).to.have.lengthOf(2)",
    failing: "pm.expect(json.tags).to.have.lengthOf(3)",
  },
  {
    name: "length of a list",
    passing: "pm.expect(json.tags.length).to.be.above(1)",
    failing: "pm.expect(json.tags.length).to.be.above(2)",
  },
  {
    name: "list contains",
    passing: "pm.expect(json.tags).to.include('dog')",
    failing: "pm.expect(json.tags).to.include('cat')",
  },
  {
    name: "text contains",
    passing: "pm.expect(json.name).to.include('ex')",
    failing: "pm.expect(json.name).to.include('ox')",
  },
  { name: "false", passing: "pm.expect(json.sold).to.be.false", failing: "pm.expect(json.sold).to.be.true" },
  { name: "null", passing: "pm.expect(json.note).to.be.null", failing: "pm.expect(json.name).to.be.null" },
  {
    name: "undefined",
    passing: "pm.expect(json.surname).to.be.undefined",
    failing: "pm.expect(json.name).to.be.undefined",
  },
  {
    name: "not equal",
    passing: "pm.expect(json.name).to.not.eql('Max')",
    failing: "pm.expect(json.name).to.not.eql('Rex')",
  },
  {
    name: "at least",
    passing: "pm.expect(json.id).to.be.at.least(7)",
    failing: "pm.expect(json.id).to.be.at.least(8)",
  },
  {
    name: "within",
    passing: "pm.expect(json.id).to.be.within(1, 10)",
    failing: "pm.expect(json.id).to.be.within(8, 10)",
  },
  {
    name: "matches",
    passing: "pm.expect(json.name).to.match(/^re/i)",
    failing: "pm.expect(json.name).to.match(/^ex/i)",
  },
  {
    name: "comparison",
    passing: "pm.expect(json.id === 7).to.be.true",
    failing: "pm.expect(json.id === 8).to.be.true",
  },
  { name: "empty", passing: "pm.expect(json.tags).to.not.be.empty", failing: "pm.expect(json.tags).to.be.empty" },
  {
    name: "jsonBody",
    passing: "pm.response.to.have.jsonBody('owner.age', 36)",
    failing: "pm.response.to.have.jsonBody('owner.age', 37)",
  },
  {
    name: "older style",
    passing: "tests['code'] = responseCode.code === 200",
    failing: "tests['code'] = responseCode.code === 404",
  },
  {
    name: "older style, body",
    passing: "tests['body'] = responseBody.has('Rex')",
    failing: "tests['body'] = responseBody.has('Max')",
  },
];
