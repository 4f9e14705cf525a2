"""Units of measure and currencies: their spellings and exact sizes."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple


class Unit(NamedTuple):
    """A unit: its dimension, its exact size in the base unit of the dimension, and other readings of the word."""

    dimension: str
    scale: Fraction = Fraction(1)
    others: tuple[Unit, ...] = ()


NO_UNIT = Unit("")
PERCENT = Unit("%")
TIMES = Unit("times")
YEAR = Unit("months", Fraction(12))
CELSIUS = Unit("°C")
FAHRENHEIT = Unit("°F")
PERCENT_DIMENSIONS = frozenset({"%", "percentage points"})

# One line a dimension: "size: spelling spelling, size: ...". An underscore stands for a space.
_TABLE = """
mass = 1: g gm gram grams gramme grammes 克, 1/1000: mg mgs milligram milligrams milligramme milligrammes 毫克,\
 1/1000000: µg ug mcg microgram micrograms 微克, 1/1000000000: ng nanogram nanograms,\
 1000: kg kgs kilo kilos kilogram kilograms kilogramme kilogrammes 公斤 千克, 1000000: t tonne tonnes metric_ton metric_tons 吨,\
 45359237/100000: lb lbs, 45359237/1600000: oz ounce ounces, 45359237*14/100000: stone
ton = 1: ton tons
length = 1: m meter meters metre metres 米, 1/10: dm, 1/100: cm centimeter centimeters centimetre centimetres 厘米,\
 1/1000: mm millimeter millimeters millimetre millimetres 毫米, 1/1000000: µm um micron microns micrometer micrometers micrometre micrometres,\
 1/1000000000: nm nanometer nanometers nanometre nanometres, 1000: km kms kilometer kilometers kilometre kilometres 公里 千米,\
 127/5000: inch inches, 381/1250: ft foot feet, 1143/1250: yd yds yard yards, 201168/125: mi mile miles 英里
nautical = 1: nautical_mile nautical_miles nmi
light = 1: light_year light_years light-year light-years
area = 1: m² m2 sq_m sqm square_meter square_meters square_metre square_metres 平方米, 1/10000: cm² cm2 sq_cm,\
 1/1000000: mm² mm2, 1000000: km² km2 sq_km square_kilometer square_kilometers square_kilometre square_kilometres 平方公里,\
 10000: ha hectare hectares, 9290304/100000000: ft² ft2 sq_ft sqft square_foot square_feet, 40468564224/10000000: acre acres,\
 2589988110336/1000000: square_mile square_miles sq_mi mi²
volume = 1: l L liter liters litre litres 升, 1/10: dl dL, 1/100: cl cL, 1/1000: ml mL mls milliliter milliliters millilitre millilitres cc 毫升 cm³ cm3,\
 1/1000000: µl µL uL microliter microliters microlitre microlitres, 1000: m³ m3 cubic_meter cubic_meters cubic_metre cubic_metres 立方米,\
 473176473/125000000: gal gallon gallons, 473176473/500000000: qt quart quarts, 473176473/1000000000: pint pints,\
 473176473/2000000000: cup cups, 473176473/16000000000: fl_oz fluid_ounce fluid_ounces,\
 473176473/32000000000: tbsp tablespoon tablespoons, 473176473/96000000000: tsp teaspoon teaspoons
time = 1: s sec secs second seconds 秒, 1/1000: ms msec millisecond milliseconds 毫秒, 1/1000000: µs microsecond microseconds,\
 1/1000000000: ns nanosecond nanoseconds, 60: min mins minute minutes 分钟, 3600: h hr hrs hour hours 小时,\
 86400: d day days 天, 604800: week weeks wk wks 周, 1209600: fortnight fortnights
months = 1: month months mo mos 个月, 12: year years yr yrs 年 岁, 120: decade decades, 1200: century centuries
temperature-K = 1: K kelvin kelvins
data = 1: bit bits, 8: byte bytes B, 1000: kbit kb Kb kilobit kilobits, 8000: KB kB kilobyte kilobytes, 1000000: Mb Mbit megabit megabits,\
 8000000: MB megabyte megabytes, 1000000000: Gb Gbit gigabit gigabits, 8000000000: GB gigabyte gigabytes, 8000000000000: TB terabyte terabytes,\
 8000000000000000: PB petabyte petabytes, 8192: KiB, 8388608: MiB, 8589934592: GiB, 8796093022208: TiB
data/time = 1: bps, 1000: kbps Kbps, 1000000: Mbps, 1000000000: Gbps
length/time = 1609344/3600000: mph, 5/18: kph kmh kmph
beats/time = 1/60: bpm
beats = 1: beat beats
turns/time = 1/60: rpm
turns = 1: revolution revolutions
frames/time = 1: fps
frames = 1: frame frames
length/volume = 201168/125*125000000/473176473: mpg
frequency = 1: Hz hertz, 1000: kHz kilohertz, 1000000: MHz megahertz, 1000000000: GHz gigahertz
power = 1: W watt watts, 1/1000: mW milliwatt milliwatts, 1000: kW kilowatt kilowatts 千瓦, 1000000: MW megawatt megawatts, 1000000000: GW gigawatt gigawatts
energy = 1: J joule joules, 1000: kJ kilojoule kilojoules, 1000000: MJ megajoule megajoules, 3600: Wh, 3600000: kWh kilowatt-hour kilowatt-hours,\
 3600000000: MWh, 3600000000000: GWh
calories = 1: kcal kcals kilocalorie kilocalories, 1/1000: cal calorie calories
voltage = 1: V volt volts, 1/1000: mV millivolt millivolts, 1000: kV kilovolt kilovolts
current = 1: A amp amps ampere amperes, 1/1000: mA milliamp milliamps
charge = 1: mAh, 1000: Ah
resistance = 1: Ω ohm ohms, 1000: kΩ
force = 1: N newton newtons, 1000: kN
pressure = 1: Pa pascal pascals, 100: hPa mbar, 1000: kPa, 1000000: MPa, 1000000000: GPa, 100000: bar
pressure-hg = 1: mmHg mm_Hg
pressure-psi = 1: psi
sound = 1: dB decibel decibels
amount = 1: mol mole moles, 1/1000: mmol millimole millimoles, 1/1000000: µmol umol micromole micromoles, 1/1000000000: nmol
equivalents = 1/1000: mEq
biological = 1: IU international_unit international_units, 1000: kIU
fraction-ppm = 1: ppm parts_per_million, 1/1000: ppb parts_per_billion
pixels = 1: px pixel pixels, 1000000: MP megapixel megapixels
% = 1: % percent per_cent pct percents, 1/10: ‰ permille per_mille per_mil
percentage points = 1: percentage_point percentage_points pp, 1/100: basis_point basis_points
times = 1: time times x X × fold -fold 倍
°C = 1: °C ℃ celsius centigrade degC degrees_celsius degree_celsius degrees_centigrade deg_C degrees_C 摄氏度 C
°F = 1: °F ℉ fahrenheit degF degrees_fahrenheit degree_fahrenheit deg_F degrees_F 华氏度 F
USD = 1: $ US$ USD dollar dollars us_dollar us_dollars bucks 美元
EUR = 1: € EUR euro euros 欧元
GBP = 1: £ GBP quid pounds_sterling 英镑, 1/100: pence
JPY = 1: JPY yen 日元
CNY = 1: CNY RMB yuan renminbi 元 人民币
INR = 1: ₹ INR Rs rupee rupees
KRW = 1: ₩ KRW
CHF = 1: CHF franc francs
CAD = 1: CAD CA$ C$ canadian_dollar canadian_dollars
AUD = 1: AUD AU$ A$ australian_dollar australian_dollars
RUB = 1: ₽ RUB ruble rubles rouble roubles
HKD = 1: HK$ HKD
NZD = 1: NZ$ NZD
SGD = 1: S$ SGD
BTC = 1: BTC bitcoin bitcoins ₿
"""

_POUND = Unit("mass", Fraction(45359237, 100000), (Unit("GBP"),))
_DEGREE = Unit("degrees", Fraction(1), (CELSIUS, FAHRENHEIT))
_CENT = Unit("USD", Fraction(1, 100), (Unit("EUR", Fraction(1, 100)),))
_AMBIGUOUS = {
    "pound": _POUND, "pounds": _POUND, "°": _DEGREE, "degree": _DEGREE, "degrees": _DEGREE, "deg": _DEGREE, "度": _DEGREE,
    "cent": _CENT, "cents": _CENT, "¢": _CENT, "¥": Unit("JPY", Fraction(1), (Unit("CNY"),)),
}  # fmt: skip


def _size(text: str) -> Fraction:
    size = Fraction(1)
    for index, part in enumerate(text.replace("*", " *").replace("/", " /").split()):
        size = (
            Fraction(part) if index == 0 else size * Fraction(part[1:]) if part[0] == "*" else size / Fraction(part[1:])
        )
    return size


def _table() -> dict[str, Unit]:
    table = dict(_AMBIGUOUS)
    for line in _TABLE.strip().splitlines():
        dimension, _, groups = line.partition(" = ")
        for group in groups.split(", "):
            size, _, names = group.partition(": ")
            table.update(
                (name.replace("_", " "), Unit(dimension.strip(), _size(size.strip()))) for name in names.split()
            )
    return table


_EXACT = _table()
_FOLDED: dict[str, Unit] = {}
for _name, _unit in _EXACT.items():
    if len(_name) > 1:  # one letter means different units in the two cases
        _FOLDED.setdefault(_name.lower(), _unit)

LONGEST_CJK = max(len(name) for name in _EXACT if name[0] >= "\u3000")


def unit_named(name: str) -> Unit | None:
    """Return the unit with this spelling, or None.

    The exact case wins ("MB" megabyte, "Mb" megabit); names of two letters and more are then looked up
    without regard to case ("KG").
    """
    return _EXACT.get(name) or _FOLDED.get(name.lower())


def per(unit: Unit, divisor: Unit) -> Unit:
    """Return the unit "``unit`` per ``divisor``"; the dimension names both."""
    return Unit(f"{unit.dimension}/{divisor.dimension}", unit.scale / divisor.scale)
