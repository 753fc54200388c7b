package survey

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// observed is the size of the sample from which DrawGroups estimates its distributions.
const observed = 100_000

// dependsOn lists the variables of DrawGroups in the order they are drawn, each with the variables it is
// conditional on.
var dependsOn = []struct {
	name string
	on   []string
}{
	{"region", nil}, {"urbrur", []string{"region"}}, {"age", nil}, {"sex", []string{"age"}}, {"marital", []string{"age", "sex"}},
	{"educ", []string{"age", "urbrur"}}, {"ethnic", []string{"region"}}, {"health", []string{"age"}}, {"occup", []string{"age"}},
	{"relig", []string{"ethnic"}}, {"water", []string{"urbrur"}}, {"roof", []string{"urbrur"}},
}

// DrawGroups draws a frequency table of a survey of at least one person by some of the variables region, urbrur,
// age, sex, marital, educ, ethnic, health, occup, relig, water and roof. It has the form of a GROUP BY of the
// persons, with the sum of their weights as the last variable, weight. No person is generated: time and memory
// depend on the number of groups. The same persons, variables and seed give the same groups on every machine.
func DrawGroups(persons int, variables []string, seed uint64) (*microdata.Dataset, error) {
	d := newDrawing(variables, seed)
	d.split(0, persons)
	columns := make([]*microdata.Column, len(variables), len(variables)+1)
	for i := range d.levels {
		l := &d.levels[i]
		columns[slices.Index(variables, dependsOn[l.place].name)] = l.column()
	}
	weights := microdata.NewNumeric("weight", microdata.Number, &microdata.Numbers{Values: d.weights, Decimals: 1})
	return microdata.NewGrouped(append(columns, weights), d.records)
}

// drawing draws groups depth first.
type drawing struct {
	random  *rand.Rand
	sample  [][]string         // sample persons, by index in dependsOn
	levels  []level            // the requested variables
	at      []uint32           // index of the current value of each level
	records []int              // of each group
	weights []float64          // of each group: sum over its records
	mean    map[string]float64 // mean weight in the sample by region; "" for all regions
}

// level is a variable with its conditional distribution.
type level struct {
	place  int                  // index in dependsOn
	on     []int                // indices of the levels it is conditional on
	shares map[string][]float64 // by their values; "" for the marginal, used for values that the sample lacks
	values []string             // "" for missing
	of     []uint32             // by group: index in values
}

// column returns the column of the groups.
func (l *level) column() *microdata.Column {
	var levels []microdata.Level
	codes, kind := make([]uint32, len(l.values)), microdata.Whole
	for i, value := range l.values {
		if value == "" {
			continue
		}
		levels = append(levels, microdata.Level{Label: value, Value: microdata.LabelNumber(value)})
		if codes[i] = uint32(len(levels)); !levels[len(levels)-1].NumberLevel() {
			kind = microdata.Category
		}
	}
	for group, value := range l.of {
		l.of[group] = codes[value]
	}
	return microdata.NewCategorical(dependsOn[l.place].name, kind, &microdata.Categories{Levels: levels, Codes: microdata.CodesOf(l.of)})
}

func newDrawing(variables []string, seed uint64) *drawing {
	d := &drawing{random: rand.New(rand.NewPCG(seed, math.MaxUint64)), mean: map[string]float64{}}
	d.observe(seed)
	for place, v := range dependsOn {
		if !slices.Contains(variables, v.name) {
			continue
		}
		l := level{place: place, shares: map[string][]float64{}}
		for i := range d.levels {
			if slices.Contains(v.on, dependsOn[d.levels[i].place].name) {
				l.on = append(l.on, i)
			}
		}
		d.levels = append(d.levels, l)
		d.count(len(d.levels) - 1)
	}
	d.at = make([]uint32, len(d.levels))
	return d
}

// observe draws the sample.
func (d *drawing) observe(seed uint64) {
	c, random := newCountry(), rand.New(rand.NewPCG(seed, 0))
	sums, persons := map[string]float64{}, map[string]float64{}
	for len(d.sample) < observed {
		h := c.drawHousehold(random, observed-len(d.sample))
		for pid := 1; pid <= h.size; pid++ {
			p := c.drawPerson(random, &h, pid)
			d.sample = append(d.sample, []string{h.region, h.urbrur, strconv.Itoa(p.age), p.sex, p.marital, p.education, p.ethnic, p.health,
				p.occupation, h.religion, h.water, h.roof})
			sums[h.region] += h.weight
			sums[""] += h.weight
			persons[h.region]++
			persons[""]++
		}
	}
	for region := range sums {
		d.mean[region] = sums[region] / persons[region]
	}
}

// count tabulates a level in the sample, by the levels it is conditional on.
func (d *drawing) count(at int) {
	l := &d.levels[at]
	for _, person := range d.sample {
		if !slices.Contains(l.values, person[l.place]) {
			l.values = append(l.values, person[l.place])
		}
	}
	slices.SortFunc(l.values, func(a, b string) int {
		x, _ := strconv.Atoi(a)
		y, _ := strconv.Atoi(b)
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(a, b))
	})
	for _, person := range d.sample {
		on := make([]string, len(l.on))
		for i, before := range l.on {
			on[i] = person[d.levels[before].place]
		}
		for _, key := range slices.Compact([]string{"", strings.Join(on, "\x00")}) {
			if l.shares[key] == nil {
				l.shares[key] = make([]float64, len(l.values))
			}
			l.shares[key][slices.Index(l.values, person[l.place])]++
		}
	}
}

// split distributes records over the values of a level, and those of each value over the levels after it.
func (d *drawing) split(at, records int) {
	if at == len(d.levels) {
		d.group(records)
		return
	}
	l := &d.levels[at]
	on := make([]string, len(l.on))
	for i, before := range l.on {
		on[i] = d.levels[before].values[d.at[before]]
	}
	shares, seen := l.shares[strings.Join(on, "\x00")]
	if !seen {
		shares = l.shares[""]
	}
	left := 0.0
	for _, share := range shares {
		left += share
	}
	for value, share := range shares {
		if records == 0 {
			return
		}
		if share == 0 {
			continue
		}
		some := binomial(d.random, records, min(1, share/left))
		left -= share
		if records -= some; some > 0 {
			d.at[at] = uint32(value)
			d.split(at+1, some)
		}
	}
}

// group adds the current group, with the mean weight of its region, or of all regions if region is not requested.
func (d *drawing) group(records int) {
	region := ""
	for i := range d.levels {
		if d.levels[i].of = append(d.levels[i].of, d.at[i]); d.levels[i].place == 0 {
			region = d.levels[i].values[d.at[i]]
		}
	}
	d.records = append(d.records, records)
	d.weights = append(d.weights, round(float64(float64(records)*d.mean[region]), 1))
}

// few is the expected count up to which a binomial number is drawn exactly.
const few = 30

// binomial draws from the binomial distribution: by inversion up to an expected count of few, beyond it from the
// rounded normal distribution with the same mean and deviation.
func binomial(random *rand.Rand, n int, p float64) int {
	switch mean := float64(n) * p; {
	case p >= 1:
		return n
	case p > .5:
		return n - binomial(random, n, 1-p)
	case mean > few:
		x := math.Round(normal(random, mean, math.Sqrt(float64(mean*(1-p)))))
		return int(max(0, min(float64(n), x)))
	}
	odds, chance := p/(1-p), math.Exp(float64(float64(n)*math.Log1p(-p)))
	u := random.Float64()
	for some := range n {
		if u -= chance; u < 0 {
			return some
		}
		chance = float64(chance * float64(float64(n-some)/float64(some+1)*odds))
	}
	return n
}
