"""Times in a question ("yesterday", "last Tuesday", "in March", "before 2026-03-01") as a span in the user's zone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, tzinfo
from typing import Final

_DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS: Final = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
                  "november", "december")
_MONTH = "|".join((*_MONTHS, *(m[:3] for m in _MONTHS if m != "may"), "sept"))
_AGO = re.compile(r"\b(\d{1,4}|a|an|one|two|three|four|five|six) (day|week|month|year)s? ago\b")
_NUMBERS: Final = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_RELATIVE = re.compile(r"\b(last|past|previous|this) (week|month|year)\b")
_WEEKDAY = re.compile(rf"\b(last|on|this) ({'|'.join(_DAYS)})\b")
_ISO = re.compile(r"\b(\d{4})-(\d{2})(?:-(\d{2}))?\b")
_DAY_FIRST = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({_MONTH})\b\.?,?(?: (\d{{4}}))?")
_MONTH_FIRST = re.compile(rf"\b({_MONTH})\.? (\d{{1,2}})(?:st|nd|rd|th)?\b(?!\d)(?:,? (\d{{4}}))?")
_IN_MONTH = re.compile(rf"\b(?:in|during|since|before|after|of|by) ({_MONTH})\b\.?(?:,? (\d{{4}}))?|"
                       rf"\b({_MONTH}) (\d{{4}})\b")
_IN_YEAR = re.compile(r"\b(?:in|during|since|before|after) ((?:19|20)\d{2})\b(?!-)")
_OPEN = re.compile(r"\b(before|until|after|since)(?: the)? *\Z")


@dataclass(frozen=True, slots=True)
class Span:
    """From ``since`` to before ``until``, aware UTC; None is open. ``words`` is what was read in the question."""

    since: datetime | None
    until: datetime | None
    words: str

    def holds(self, at: float) -> bool:
        """True if a time in seconds since 1970 lies within."""
        return ((self.since is None or self.since.timestamp() <= at)
                and (self.until is None or at < self.until.timestamp()))


def span_of(question: str, now: datetime, zone: tzinfo | None = None) -> Span | None:
    """The span that a question speaks of, in ``zone`` (default: this machine's); None if it speaks of none.

    >>> from datetime import timezone
    >>> found = span_of("what broke yesterday?", datetime(2026, 11, 30, 12, tzinfo=UTC), timezone(timedelta(hours=9)))
    >>> found.since.isoformat(), found.until.isoformat()
    ('2026-11-28T15:00:00+00:00', '2026-11-29T15:00:00+00:00')
    """
    text = question.casefold()
    here = now.astimezone(zone)
    for reader in (_relative, _weekday, _dates, _months):
        found = reader(text, here)
        if found is not None:
            start, first, last = found
            return _opened(text[:start[0]], text[start[0]:start[1]], _utc(first, here), _utc(last, here))
    return None


_Found = tuple[tuple[int, int], datetime, datetime]


def _relative(text: str, here: datetime) -> _Found | None:
    today = datetime.combine(here.date(), time())
    for word, back in (("day before yesterday", 2), ("yesterday", 1), ("today", 0)):
        at = text.find(word)
        if at >= 0:
            day = today - timedelta(days=back)
            return (at, at + len(word)), day, day + timedelta(days=1)
    if found := _AGO.search(text):
        count = _NUMBERS.get(found[1]) or int(found[1])
        first, last = _around(today, found[2], count)
        return found.span(), first, last
    if found := _RELATIVE.search(text):
        first, last = _around(today, found[2], 0 if found[1] == "this" else 1)
        return found.span(), first, last
    return None


def _around(today: datetime, unit: str, back: int) -> tuple[datetime, datetime]:
    """The day, calendar week, month or year that lies ``back`` units before today's."""
    if unit == "day":
        day = today - timedelta(days=back)
        return day, day + timedelta(days=1)
    if unit == "week":
        monday = today - timedelta(days=today.weekday() + 7 * back)
        return monday, monday + timedelta(days=7)
    months = today.year * 12 + today.month - 1 - back * (12 if unit == "year" else 1)
    year, month = divmod(months, 12)
    if unit == "year":
        return _day(max(year, 1), 1, 1), _day(max(year, 1) + 1, 1, 1)
    return _month(year, month + 1)


def _day(year: int, month: int, day: int) -> datetime:
    """Midnight of a day on the wall clock; the zone is put on by `_utc`."""
    return datetime(year, month, day)  # noqa: DTZ001 a local date that has no zone yet


def _month(year: int, month: int) -> tuple[datetime, datetime]:
    year = max(year, 1)
    return _day(year, month, 1), _day(year + month // 12, month % 12 + 1, 1)


def _weekday(text: str, here: datetime) -> _Found | None:
    found = _WEEKDAY.search(text)
    if found is None:
        return None
    today = datetime.combine(here.date(), time())
    back = (today.weekday() - _DAYS.index(found[2])) % 7
    if back == 0 and found[1] != "this":
        back = 7
    day = today - timedelta(days=back)
    return found.span(), day, day + timedelta(days=1)


def _dates(text: str, here: datetime) -> _Found | None:
    try:
        if found := _ISO.search(text):
            if found[3] is None:
                return found.span(), *_month(int(found[1]), int(found[2]))
            day = _day(int(found[1]), int(found[2]), int(found[3]))
            return found.span(), day, day + timedelta(days=1)
        for pattern, number, name in ((_DAY_FIRST, 1, 2), (_MONTH_FIRST, 2, 1)):
            if found := pattern.search(text):
                day = _day(_year(found[3], found[name], here), _number(found[name]), int(found[number]))
                return found.span(), day, day + timedelta(days=1)
    except ValueError:
        return None
    return None


def _months(text: str, here: datetime) -> _Found | None:
    if found := _IN_MONTH.search(text):
        name, year = (found[1], found[2]) if found[1] else (found[3], found[4])
        start = found.start(1) if found[1] else found.start(3)
        return (start, found.end()), *_month(_year(year, name, here), _number(name))
    if found := _IN_YEAR.search(text):
        return found.span(1), _day(int(found[1]), 1, 1), _day(int(found[1]) + 1, 1, 1)
    return None


def _number(name: str) -> int:
    return next(i for i, m in enumerate(_MONTHS, 1) if m.startswith(name[:3]))


def _year(year: str | None, month: str, here: datetime) -> int:
    """The year that was said, else that of the last such month."""
    return int(year) if year else here.year - (1 if _number(month) > here.month else 0)


def _utc(local: datetime, here: datetime) -> datetime:
    return local.replace(tzinfo=here.tzinfo).astimezone(UTC)


def _opened(before: str, words: str, first: datetime, last: datetime) -> Span:
    opener = _OPEN.search(before)
    if opener is None:
        return Span(first, last, words)
    if opener[1] in ("before", "until"):
        return Span(None, first, f"{opener[1]} {words}")
    return Span(first if opener[1] == "since" else last, None, f"{opener[1]} {words}")
