package union

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// recoded returns a column of codes as a release recodes it, with its suppressed cells.
func recoded(name string, source []uint32, mapping []uint32, suppressed []int) *microdata.Column {
	last := len(mapping) - 1
	column := microdata.NewCategorical(name, microdata.Category, &microdata.Categories{Levels: levels(last),
		Codes: microdata.NarrowCodes(source, last)})
	column = column.Regroup(column, levels(int(slices.Max(mapping))), mapping, false)
	cells := microdata.NewBits(len(source))
	for _, row := range suppressed {
		cells.Set(row)
	}
	return column.Suppress(cells)
}

func levels(n int) []microdata.Level {
	out := make([]microdata.Level, n)
	for i := range out {
		out[i].Label = fmt.Sprintf("c%02d", i+1)
	}
	return out
}

func releaseOf(t *testing.T, scenario microdata.Scenario, rows []uint32, columns ...*microdata.Column) Release {
	t.Helper()
	data, err := microdata.NewDataset(columns)
	if err != nil {
		t.Fatal(err)
	}
	if rows != nil {
		data = data.Select(rows)
	}
	return Release{data, &scenario}
}

// A groups the ages, B suppresses all regions: no record violates 3-anonymity in either.
func TestExample(t *testing.T) {
	region, age := []uint32{1, 1, 1, 2, 2, 2}, []uint32{1, 2, 2, 1, 1, 2}
	regions, grouped, ages := []uint32{0, 1, 2}, []uint32{0, 1, 1, 2}, []uint32{0, 1, 2, 3}
	scenario := microdata.NewScenario()
	scenario.Keys, scenario.K = []string{"region", "age"}, []int{2, 3}
	a := releaseOf(t, scenario, nil, recoded("region", region, regions, nil), recoded("age", age, grouped, nil))
	for _, c := range []struct {
		suppressed []int // suppressed ages in B
		want       []Count
	}{
		// Regions and ages: (1, 1) once, (1, 2) twice, (2, 1) twice, (2, 2) once.
		{nil, []Count{{2, 0, 0, 2}, {3, 0, 0, 6}}},
		// Of record 1 only the age group is left, with which (1, 1) and (1, 2) are compatible: it counts three
		// records, and so does each of these two. (2, 2) is unique, (2, 1) occurs twice.
		{[]int{1}, []Count{{2, 0, 0, 1}, {3, 0, 0, 5}}},
	} {
		b := releaseOf(t, scenario, nil, recoded("region", region, regions, []int{0, 1, 2, 3, 4, 5}), recoded("age", age, ages, c.suppressed))
		r, err := Of(t.Context(), a, b)
		if err != nil || !slices.Equal(r.Counts, c.want) {
			t.Errorf("%+v, %v; by hand %+v", r.Counts, err, c.want)
		}
	}
}

// draw is a random source with two releases of it.
type draw struct {
	source   [][]uint32 // by variable
	mappings [2][][]uint32
	cells    [2][][]int // suppressed
	rows     [2][]uint32
	scenario microdata.Scenario
}

func drawn(random *rand.Rand) *draw {
	d := &draw{scenario: microdata.NewScenario()}
	d.scenario.Rule = []microdata.Rule{microdata.RuleDefault, microdata.RuleConservative, microdata.RuleConservative2,
		microdata.RuleOwnCategory}[random.IntN(4)]
	d.scenario.Alpha = []float64{0, 0.5, 1}[random.IntN(3)]
	n, variables := 4+random.IntN(30), 1+random.IntN(3)
	for v := range variables {
		d.scenario.Keys = append(d.scenario.Keys, fmt.Sprint("v", v))
		categories := 3 + random.IntN(4)
		codes := make([]uint32, n)
		for row := range codes {
			codes[row] = uint32(1 + random.IntN(categories))
			if random.IntN(15) == 0 {
				codes[row] = 0
			}
		}
		d.source = append(d.source, codes)
		for i := range d.mappings {
			d.mappings[i] = append(d.mappings[i], mapped(random, categories))
			var cells []int
			for row := range n {
				if random.IntN(4) == 0 {
					cells = append(cells, row)
				}
			}
			d.cells[i] = append(d.cells[i], cells)
		}
	}
	for i := range d.rows {
		part := random.IntN(2) == 0
		for row := range n {
			if !part || random.IntN(4) > 0 {
				d.rows[i] = append(d.rows[i], uint32(row))
			}
		}
		if random.IntN(2) == 0 { // random order
			random.Shuffle(len(d.rows[i]), func(a, b int) { d.rows[i][a], d.rows[i][b] = d.rows[i][b], d.rows[i][a] })
		}
	}
	return d
}

// mapped draws a recode of categories: at least two new ones, and sometimes missing.
func mapped(random *rand.Rand, categories int) []uint32 {
	mapping := make([]uint32, categories+1)
	groups := uint32(2 + random.IntN(categories-1))
	for code := 1; code <= categories; code++ {
		if mapping[code] = uint32(code); code > int(groups) {
			mapping[code] = uint32(random.IntN(int(groups) + 1))
		}
	}
	return mapping
}

func (d *draw) release(t *testing.T, i int) Release {
	var columns []*microdata.Column
	for v, name := range d.scenario.Keys {
		columns = append(columns, recoded(name, d.source[v], d.mappings[i][v], d.cells[i][v]))
	}
	return releaseOf(t, d.scenario, d.rows[i], columns...)
}

// possible returns the source categories that both releases leave possible for a cell.
func (d *draw) possible(v, row int) (categories []uint32) {
	for c := range d.mappings[0][v] {
		fits, released := true, false
		for i := range d.mappings {
			has := d.mappings[i][v][d.source[v][row]]
			if slices.Contains(d.cells[i][v], row) || !slices.Contains(d.rows[i], uint32(row)) {
				has = 0
			}
			fits = fits && (has == 0 || has == d.mappings[i][v][c])
			released = released || d.mappings[i][v][c] != 0
		}
		if fits && released {
			categories = append(categories, uint32(c))
		}
	}
	return categories
}

// complete reports whether the categories are the same in both releases.
func (d *draw) complete(v int, categories []uint32) bool {
	for _, c := range categories {
		for i := range d.mappings {
			if d.mappings[i][v][c] != d.mappings[i][v][categories[0]] {
				return false
			}
		}
	}
	return true
}

// violators counts the records with too few others by definition, pair by pair.
func (d *draw) violators(k int) (count int) {
	var cells [][][]uint32
	var complete []bool
	for row := range d.source[0] {
		if !slices.Contains(d.rows[0], uint32(row)) && !slices.Contains(d.rows[1], uint32(row)) {
			continue
		}
		var record [][]uint32
		whole := true
		for v := range d.source {
			record = append(record, d.possible(v, row))
			whole = whole && d.complete(v, record[v])
		}
		cells, complete = append(cells, record), append(complete, whole)
	}
	for i, one := range cells {
		frequency, unknown := 0.0, true
		for v := range one {
			everything := 0
			for c := range d.mappings[0][v] {
				if d.mappings[0][v][c] != 0 || d.mappings[1][v][c] != 0 {
					everything++
				}
			}
			unknown = unknown && len(one[v]) == everything
		}
		for j, other := range cells {
			frequency += d.counts(one, other, complete[i], complete[j], unknown)
		}
		if frequency < float64(k)-1e-9 {
			count++
		}
	}
	return count
}

// counts returns how much a record counts for another.
func (d *draw) counts(one, other [][]uint32, complete, otherComplete, unknown bool) float64 {
	identical, compatible := true, true
	for v := range one {
		identical = identical && slices.Equal(one[v], other[v])
		compatible = compatible && slices.ContainsFunc(one[v], func(c uint32) bool { return slices.Contains(other[v], c) })
	}
	switch rule := d.scenario.Rule; {
	case identical:
		return 1
	case rule == microdata.RuleOwnCategory || rule == microdata.RuleConservative2 || !compatible:
		return 0
	case !complete && otherComplete, unknown:
		return 1
	case rule == microdata.RuleConservative:
		return 0
	}
	return d.scenario.Alpha
}

// On random data the violators of both releases equal the definition.
func TestAgainstTheDefinition(t *testing.T) {
	random, more := rand.New(rand.NewPCG(3, 9)), 0
	for range 4000 {
		d := drawn(random)
		r, err := Of(t.Context(), d.release(t, 0), d.release(t, 1))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range r.Counts {
			if want := d.violators(c.K); c.Both != want {
				t.Fatalf("k = %d, rule %s, alpha %v: %d violators, by the definition %d\n%+v", c.K, d.scenario.Rule,
					d.scenario.Alpha, c.Both, want, d)
			}
			if c.Both > max(c.A, c.B) {
				more++
			}
		}
	}
	if more < 1000 {
		t.Errorf("two releases revealed more than one in %d counts", more)
	}
}

// A release combined with itself reveals no more than alone.
func TestTogetherWithItself(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	for range 300 {
		a := drawn(random).release(t, 0)
		r, err := Of(t.Context(), a, a)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range r.Counts {
			if c.A != c.Both || c.B != c.Both {
				t.Fatalf("%+v", c)
			}
		}
	}
}

// The reason for not assessing is reported.
func TestNotAssessed(t *testing.T) {
	scenario := microdata.NewScenario()
	a := releaseOf(t, scenario, nil, recoded("v", []uint32{1, 2}, []uint32{0, 1, 2}, nil))
	if r, err := Of(t.Context(), a, a); err != nil || r.NotAssessed == "" || r.Counts != nil {
		t.Errorf("without key variables: %+v, %v", r, err)
	}
	scenario.Keys = []string{"v"}
	b := releaseOf(t, scenario, nil, recoded("v", []uint32{1, 2}, []uint32{0, 1, 2}, nil).DrawnWith(7))
	if r, err := Of(t.Context(), a, b); err != nil || r.NotAssessed != "B: PRAM has been applied to v" || r.Table() != nil {
		t.Errorf("after PRAM: %+v, %v", r, err)
	}
}
