/**
 * The npm package compromise, a general rule-based tagger for English, as a named entity
 * tagger: lines of words on stdin, `.ne` lines on stdout.
 *
 * Everything is read off the tags that compromise gives each word (Person, Place,
 * Organization, Month, Value, Actor, ...): a run of words of one kind becomes one element,
 * and its components follow from the finer tags.  Nothing is looked up in any other list,
 * but for the tens and teens that tell a spoken year from a number.
 */
import { readFileSync } from 'node:fs'
import nlp from 'compromise'

const TEEN = /^(ten|eleven|twelve|.*teen)$/
const TWO_DIGITS = /^(ten|eleven|twelve|.*teen|(twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)( [a-z]+)?|hundred|oh [a-z]+)$/

/** words of a line, each with the set of its tags */
function analyse(line) {
  const words = line.split(' ').map((text) => ({ text, low: text.toLowerCase(), tags: new Set() }))
  const wordAt = new Map()
  let offset = 0
  for (const word of words) {
    wordAt.set(offset, word)
    offset += word.text.length + 1
  }
  for (const sentence of nlp(line).json({ offset: true, terms: { tags: true, offset: true } }))
    for (const term of sentence.terms)
      for (const tag of term.tags) wordAt.get(term.offset.start)?.tags.add(tag)
  return words
}

const has = (word, ...tags) => word !== undefined && tags.some((tag) => word.tags.has(tag))
const isPerson = (w) => has(w, 'Person', 'Honorific')
const isPlace = (w) => has(w, 'Place') && !has(w, 'Date')
const isOrganization = (w) => has(w, 'Organization')
const isCalendar = (w) => has(w, 'Month', 'WeekDay')
const isValue = (w) => has(w, 'Value')

function run(words, from, test) {
  let to = from
  while (to < words.length && test(words[to])) to++
  return to
}

function person(words, from, to) {
  const spans = []
  const name = run(words.slice(0, to), from, (w) => has(w, 'Honorific'))
  if (name > from) spans.push([from, name, 'func.ind'], [from, name, 'kind'])
  if (name === to) return spans
  spans.push([name, to, 'pers.ind'])
  if (to - name === 1)
    return [...spans, [name, to, has(words[name], 'FirstName') ? 'name.first' : 'name.last']]
  spans.push([name, name + 1, 'name.first'])
  if (to - name > 2) spans.push([name + 1, to - 1, 'name.middle'])
  return [...spans, [to - 1, to, 'name.last']]
}

function place(words, from, to) {
  const kinds = { Country: 'loc.adm.nat', Region: 'loc.adm.reg', City: 'loc.adm.town' }
  const tag = Object.keys(kinds).find((k) => has(words[from], k)) ?? 'City'
  return [[from, to, kinds[tag]], [from, to, 'name']]
}

function calendar(words, from, to) {
  const spans = [[from, to, 'time.date.abs']]
  let day = -1
  for (let i = from; i < to; i++) {
    if (has(words[i], 'WeekDay')) spans.push([i, i + 1, 'day'])
    else if (has(words[i], 'Month')) spans.push([i, i + 1, 'month'])
    else if (day < 0) day = i
  }
  if (day < 0) return to - from === 1 && has(words[from], 'WeekDay')
    ? [[from, to, 'time.date.rel'], [from, to, 'day']] : spans
  const ordinal = words.slice(day, Math.min(day + 2, to)).findIndex((w) => has(w, 'Ordinal'))
  const year = day + ordinal + 1
  if (ordinal >= 0) spans.push([day, year, 'day'])
  if (year < to) spans.push([year, to, 'year'])
  return spans
}

function number(words, from, to) {
  const low = words.slice(from, to).map((w) => w.low)
  const next = words[to]
  if (TEEN.test(low[0]) && TWO_DIGITS.test(low.slice(1).join(' ')) && !has(next, 'Unit', 'Duration'))
    return [[from, to, 'time.date.abs'], [from, to, 'year']]
  if (has(next, 'Unit', 'Duration', 'Currency'))
    return [[from, to + 1, 'amount'], [from, to, 'val'], [to, to + 1, 'unit']]
  if (has(next, 'Plural'))
    return [[from, to + 1, 'amount'], [from, to, 'val'], [to, to + 1, 'object']]
  return [[from, to, 'amount'], [from, to, 'val']]
}

/** the (start, end, label) spans of a line, an outer one before those inside it */
function entities(words) {
  const spans = []
  for (let i = 0; i < words.length;) {
    let to = i + 1
    let found = []
    if (isCalendar(words[i])) {
      to = run(words, i, (w) => isCalendar(w) || isValue(w))
      found = calendar(words, i, to)
    } else if (isValue(words[i]) && !has(words[i], 'Ordinal')) {
      to = run(words, i, isValue)
      found = number(words, i, to)
    } else if (isPerson(words[i])) {
      to = run(words, i, isPerson)
      found = person(words, i, to)
    } else if (isPlace(words[i])) {
      to = run(words, i, isPlace)
      found = place(words, i, to)
    } else if (isOrganization(words[i])) {
      to = run(words, i, isOrganization)
      found = [[i, to, 'org.ent'], [i, to, 'name']]
    } else if (has(words[i], 'Demonym') && has(words[i], 'Plural')) {
      found = [[i, to, 'pers.coll'], [i, to, 'demonym']]
    } else if (has(words[i], 'Actor')) {
      found = [[i, to, has(words[i], 'Plural') ? 'func.coll' : 'func.ind'], [i, to, 'kind']]
    } else if (has(words[i], 'Date') && !has(words[i], 'Duration', 'Timezone')) {
      found = [[i, to, 'time.date.rel'], [i, to, 'time-modifier']]
    }
    spans.push(...found)
    i = Math.max(to, ...found.map((span) => span[1]))
  }
  return spans
}

const escape = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

function write(words, spans) {
  const out = words.map((word) => [escape(word.text)])
  for (const [from, to, label] of [...spans].reverse()) {
    out[from].unshift(`<${label}>`)
    out[to - 1].push(`</${label}>`)
  }
  return out.flat().join(' ')
}

const lines = readFileSync(0, 'utf8').split('\n').filter((line) => line !== '')
for (const line of lines) {
  const words = analyse(line)
  console.log(write(words, entities(words)))
}
