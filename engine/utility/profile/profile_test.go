package profile

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

func read(t testing.TB, text string) *microdata.Dataset {
	t.Helper()
	format := fileio.Guess([]byte(text))
	data, _, err := fileio.ReadBytes(context.Background(), "test.csv", []byte(text), format, nil)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func describe(t testing.TB, data *microdata.Dataset, name string, weights []float64) *Profile {
	t.Helper()
	column, ok := data.Column(name)
	if !ok {
		t.Fatalf("no variable %q", name)
	}
	p, err := New(context.Background(), data, column, weights)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The figures of R: x <- c(2,4,4,5,9); mean 4.8, sd 2.588436, quantile(x, .25) 4, quantile(x, .9) 7.4; with
// weights 1,1,2,1,5 the mean is 6.4.
func TestSmallVariable(t *testing.T) {
	data := read(t, "x,g\n2,a\n4,b\n4,\n5,a\n9,a\n,b\n")
	weights := []float64{1, 1, 2, 1, 5, 7}
	p := describe(t, data, "x", weights)
	m := p.Numbers
	if p.Records != 6 || p.Missing != 1 || p.Weight != 10 || m.Min != 2 || m.MinRow != 0 || m.Max != 9 || m.MaxRow != 4 {
		t.Errorf("%+v, %+v", p, m)
	}
	if m.Mean != 4.8 || math.Abs(m.SD-2.588436) > 1e-6 || m.WeightedMean != 6.4 {
		t.Errorf("mean %v, sd %v, weighted mean %v", m.Mean, m.SD, m.WeightedMean)
	}
	if sd := math.Sqrt((4.4*4.4 + 3*2.4*2.4 + 1.4*1.4 + 5*2.6*2.6) / 10); math.Abs(m.WeightedSD-sd) > 1e-12 {
		t.Errorf("weighted sd %v, want %v", m.WeightedSD, sd)
	}
	v, err := p.Values(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if v.Distinct() != 4 || v.Quantile(.25) != 4 || math.Abs(v.Quantile(.9)-7.4) > 1e-12 || v.WeightedQuantile(.5) != 5 {
		t.Errorf("%d distinct, quantiles %v %v, weighted median %v", v.Distinct(), v.Quantile(.25), v.Quantile(.9),
			v.WeightedQuantile(.5))
	}
	if first := v.All[v.Places(ByRecords, "")[0]]; first.Label != "4" || first.Records != 2 || first.Weight != 3 {
		t.Errorf("most frequent %+v", first)
	}
	cross, err := NewCross(context.Background(), describe(t, data, "g", weights), p, 10)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(cross.Rows, []string{"a", "b"}) || !slices.Equal(cross.Records[1], []int{0, 1, 0, 1, 1}) ||
		!slices.Equal(cross.Records[2], []int{1, 0, 1, 0, 0}) || !slices.Equal(cross.Records[0], []int{0, 0, 1, 0, 0}) ||
		cross.Weights[1][4] != 5 || cross.ByRow[1] != 3 || cross.ByColumn[2] != 2 {
		t.Errorf("%+v", cross)
	}
}

// Missing codes of the file are counted separately, also for a variable in which a step suppressed cells.
func TestMissingByCode(t *testing.T) {
	text := "x\n1\nNA\n-9\n\n-9\n2\n"
	format := fileio.Guess([]byte(text))
	format.Missing = []string{"NA", "-9"}
	data, _, err := fileio.ReadBytes(context.Background(), "test.csv", []byte(text), format, nil)
	if err != nil {
		t.Fatal(err)
	}
	column, _ := data.Column("x")
	cells := microdata.NewBits(column.Len())
	cells.Set(0)
	column = column.Suppress(cells)
	p, err := New(context.Background(), data.With(column), column, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []Code{{"-9", 2}, {"", 1}, {"NA", 1}}
	if column.Len() == 5 { // an empty line is not a record in a file of one variable
		want = []Code{{"-9", 2}, {"NA", 1}}
	}
	if !slices.Equal(p.Codes, want) || p.Suppressed != 1 || p.Numbers.Mean != 2 {
		t.Errorf("codes %v, suppressed %d, mean %v", p.Codes, p.Suppressed, p.Numbers.Mean)
	}
}

// Texts, constants, infinite numbers and files without records have no meaningless figures.
func TestOddVariables(t *testing.T) {
	p := describe(t, read(t, "a,b\nx,3\n"), "a", nil)
	if v, _ := p.Values(context.Background()); p.Numbers != nil || !math.IsNaN(v.Quantile(.5)) || v.All[0].Label != "x" {
		t.Errorf("a text has numbers: %+v", p)
	}
	one := describe(t, read(t, "a,b\nx,3\n"), "b", nil)
	if one.Numbers.Mean != 3 || !math.IsNaN(one.Numbers.SD) || !math.IsNaN(one.Numbers.WeightedMean) {
		t.Errorf("%+v", one.Numbers)
	}
	none := describe(t, read(t, "a,b\n"), "a", nil)
	if v, err := none.Values(context.Background()); err != nil || v.Distinct() != 0 || !math.IsNaN(v.Quantile(.5)) ||
		!math.IsNaN(v.WeightedQuantile(.5)) {
		t.Errorf("values of no records: %v, %v", v, err)
	}
	numbers := &microdata.Numbers{Values: []float64{math.Inf(1), 1, 3, math.NaN(), math.Inf(-1)}}
	column := microdata.NewNumeric("x", microdata.Number, numbers)
	data, err := microdata.NewDataset([]*microdata.Column{column})
	if err != nil {
		t.Fatal(err)
	}
	x := describe(t, data, "x", nil)
	if m := x.Numbers; m.Infinite != 2 || m.Min != 1 || m.Max != 3 || m.Mean != 2 {
		t.Errorf("%+v", m)
	}
	all, err := Versions{x.Column, x.Column}.Overlays(context.Background(), nil, 1, 3, 10)
	if err != nil || all[0].Now.Outside != 2 {
		t.Errorf("%+v, %v", all, err)
	}
}

// Bins have round edges and cover all values. If the numbers are not whole, there are at least a fifth of the
// requested number of bins.
func TestRoundBins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low := rapid.Float64Range(-1e6, 1e6).Draw(t, "low")
		high := low + rapid.Float64Range(0, 1e6).Draw(t, "width")
		most := rapid.IntRange(1, 200).Draw(t, "most")
		whole := rapid.Bool().Draw(t, "whole")
		b := RoundBins(low, high, most, whole)
		if b.Count < 1 || b.Count > max(most, 2) {
			t.Fatalf("%d bins of at most %d: %+v", b.Count, most, b)
		}
		for _, x := range []float64{low, high, (low + high) / 2} {
			if _, ok := b.Of(x); !ok {
				t.Fatalf("%v is in none of %+v", x, b)
			}
		}
		if !whole && high > low+1e-6 && most >= 10 && b.Count < most/5 {
			t.Fatalf("only %d of %d bins: %+v", b.Count, most, b)
		}
		digits := strconv.FormatFloat(b.Step, 'e', 3, 64)[:1]
		if digits != "1" && digits != "2" && digits != "5" {
			t.Fatalf("a step of %v", b.Step)
		}
	})
	if b := RoundBins(3.5, 3.5000000000000004, 23, false); b.Start > 3.5 {
		t.Errorf("neighbours: %+v", b)
	}
	if b := RoundBins(0, 98, 20, true); b != (Bins{0, 5, 20}) {
		t.Errorf("ages: %+v", b)
	}
	if b := RoundBins(-25000, 25000, 6, false); b.Label(0) != "-30,000 to <-20,000" || b.Single(0) != "-30000" {
		t.Errorf("thousands: %s, alone %s", b.Label(0), b.Single(0))
	}
	if label := RoundBins(0.1, 0.7, 8, false).Label(1); label != "0.2 to <0.3" {
		t.Errorf("label %q", label)
	}
}

// Rows that represent several records give the figures of these records.
func TestRowsOfSeveralRecords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.IntRange(1, 12).Draw(t, "rows")
		values, multiplicity := make([]float64, rows), make([]int, rows)
		var single []float64
		for i := range rows {
			values[i] = float64(rapid.IntRange(-3, 6).Draw(t, "value"))
			if rapid.IntRange(0, 5).Draw(t, "missing") == 0 {
				values[i] = math.NaN()
			}
			multiplicity[i] = rapid.IntRange(1, 4).Draw(t, "records")
			for range multiplicity[i] {
				single = append(single, values[i])
			}
		}
		grouped := numbersOf(t, values, multiplicity)
		records := numbersOf(t, single, nil)
		if (grouped.Numbers == nil) != (records.Numbers == nil) || grouped.Missing != records.Missing ||
			grouped.Records != records.Records {
			t.Fatalf("%+v and %+v", grouped, records)
		}
		if grouped.Numbers == nil {
			return
		}
		if math.Abs(grouped.Numbers.Mean-records.Numbers.Mean) > 1e-12 ||
			math.Abs(grouped.Numbers.SD-records.Numbers.SD) > 1e-12 {
			t.Fatalf("%+v and %+v", grouped.Numbers, records.Numbers)
		}
		v, err := grouped.Values(context.Background())
		w, err2 := records.Values(context.Background())
		if err != nil || err2 != nil || !slices.Equal(v.All, w.All) {
			t.Fatalf("%v and %v, %v %v", v, w, err, err2)
		}
		sorted := slices.DeleteFunc(slices.Clone(single), math.IsNaN)
		slices.Sort(sorted)
		for _, p := range []float64{0, .25, .5, .77, 1} {
			place := p * float64(len(sorted)-1)
			low, high := sorted[int(math.Floor(place))], sorted[int(math.Ceil(place))]
			if want := low + (place-math.Floor(place))*(high-low); math.Abs(v.Quantile(p)-want) > 1e-12 {
				t.Fatalf("quantile %v of %v is %v, want %v", p, sorted, v.Quantile(p), want)
			}
		}
	})
}

func numbersOf(t *rapid.T, values []float64, multiplicity []int) *Profile {
	column := microdata.NewNumeric("x", microdata.Number, &microdata.Numbers{Values: values})
	data, err := microdata.NewDataset([]*microdata.Column{column})
	if multiplicity != nil {
		data, err = microdata.NewGrouped([]*microdata.Column{column}, multiplicity)
	}
	if err != nil {
		t.Fatal(err)
	}
	column, _ = data.Column("x")
	p, err := New(context.Background(), data, column, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func BenchmarkProfileOfAMillion(b *testing.B) {
	values := make([]float64, 1_000_000)
	for i := range values {
		values[i] = float64((i * 7919) % 999_983)
	}
	column := microdata.NewNumeric("x", microdata.Number, &microdata.Numbers{Values: values})
	data, err := microdata.NewDataset([]*microdata.Column{column})
	if err != nil {
		b.Fatal(err)
	}
	ctx := context.Background()
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			p, _ := New(ctx, data, column, values)
			_, _ = Versions{column, column}.Overlays(ctx, values, p.Numbers.Min, p.Numbers.Max, 60)
		}
	})
	b.Run("values", func(b *testing.B) {
		p, _ := New(ctx, data, column, values)
		for b.Loop() {
			_, _ = p.Values(ctx)
		}
	})
}

func contentOf(t testing.TB, p *Profile) *Content {
	t.Helper()
	content, err := p.Content(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// The reason for the kind of a variable describes its values.
func TestContent(t *testing.T) {
	data := read(t, "whole,half,word,code,mixed,date\n1,1.5,ab,01,1,2001-12-30\n2,2,abcd,02,x,2003-01-02\n,3,a,2,3,\n")
	for name, want := range map[string]struct {
		form Form
		why  string
	}{
		"whole": {Numerals, "no decimals"},
		"half":  {Numerals, "some values have decimals"},
		"word":  {Texts, "text values"},
		"mixed": {Texts, "1 of 3 distinct values are not numbers"},
		"date":  {Dates, "its values are dates, kept as written"},
	} {
		if content := contentOf(t, describe(t, data, name, nil)); content.Form != want.form || content.Why != want.why {
			t.Errorf("%s: %+v, want %+v", name, content, want)
		}
	}
	if content := contentOf(t, describe(t, data, "word", nil)); content.Shortest != 1 || content.Longest != 4 {
		t.Errorf("texts of %d to %d characters", content.Shortest, content.Longest)
	}
}

// Extremes are the first and last rows by number, by date or by length of text.
func TestExtremes(t *testing.T) {
	data := read(t, "x,d,w\n3,2001-12-30,ab\n1,1999-05-01,abcd\n2,2003-01-02,a\n1,,ab\n,2001-12-30,\n")
	for name, want := range map[string][2][]int{"x": {{1, 3}, {0, 2}}, "d": {{1, 0}, {2, 0}}, "w": {{2, 0}, {1, 0}}} {
		p := describe(t, data, name, nil)
		low, high, err := p.Extremes(context.Background(), contentOf(t, p), 2)
		rows := func(found []Extreme) (rows []int) {
			for _, e := range found {
				rows = append(rows, e.Row)
			}
			return rows
		}
		if err != nil || !slices.Equal(rows(low), want[0]) || !slices.Equal(rows(high), want[1]) {
			t.Errorf("%s: %v, %v, %v", name, low, high, err)
		}
	}
	p := describe(t, data, "d", nil)
	years, err := p.Periods(context.Background(), contentOf(t, p), 12)
	if err != nil || len(years) != 5 || years[0].Label != "1999" || years[2].Label != "2001" || years[2].Records != 2 ||
		years[3].Records != 0 {
		t.Errorf("%+v, %v", years, err)
	}
	if months, _ := p.Periods(context.Background(), contentOf(t, p), 100); len(months) != 45 ||
		months[0].Label != "1999-05" {
		t.Errorf("%d months: %+v", len(months), months)
	}
}

// A cross table of texts that are mostly distinct has as many columns as can be displayed, and covers all records.
func TestCrossOfManyTexts(t *testing.T) {
	text := "a,b\n"
	for i := range 3000 {
		text += "name" + strconv.Itoa(i%1500+i%7*10000) + ",x" + strconv.Itoa(i%3) + "\n"
	}
	data := read(t, text)
	cross, err := NewCross(context.Background(), describe(t, data, "a", nil), describe(t, data, "b", nil), 12)
	if err != nil || len(cross.Rows) != mostLabels+1 {
		t.Fatalf("%d rows, %v", len(cross.Rows), err)
	}
	sum := 0
	for _, n := range cross.ByRow {
		sum += n
	}
	if sum != 3000 || cross.ByRow[0] != 0 {
		t.Errorf("%d records in rows, %d of them missing", sum, cross.ByRow[0])
	}
}

// A summary counts distinct values, missing cells, and records with a rare value, for numbers and texts alike.
func TestSummary(t *testing.T) {
	data := read(t, "x,g,y\n1,a,1.5\n1,a,1.5\n2,b,\n2,a,2.25\n2,,2.25\n")
	for name, want := range map[string]Summary{"x": {2, 0, 2, []string{"1", "2"}}, "g": {2, 1, 1, []string{"a", "b"}},
		"y": {2, 1, 4, []string{"1.5", "2.25"}}} {
		column, _ := data.Column(name)
		got := Summarise(column, 3)
		if got.Distinct != want.Distinct || got.Missing != want.Missing || got.Rare != want.Rare ||
			!slices.Equal(got.Examples, want.Examples) {
			t.Errorf("%s: %+v, want %+v", name, *got, want)
		}
	}
	values := numbersColumn(t, []float64{3, 1, 3, 3, 1, 7, math.NaN()})
	if got := Summarise(values, 3); got.Distinct != 3 || got.Missing != 1 || got.Rare != 3 {
		t.Errorf("%+v", *got)
	}
}

// Many distinct numbers are counted as by a map; both zeros are the same number.
func TestSummaryOfManyNumbers(t *testing.T) {
	var values []float64
	records := map[float64]int{}
	for i := range 30_000 {
		x := float64(i*i%20_011) / 8
		if i%7 == 0 {
			x = math.Copysign(0, float64(i%2)-0.5)
		}
		values = append(values, x)
		records[x]++
	}
	rare := 0
	for _, n := range records {
		if n < 3 {
			rare += n
		}
	}
	if got := Summarise(numbersColumn(t, values), 3); got.Distinct != len(records) || got.Rare != rare || rare == 0 {
		t.Errorf("%d distinct, %d rare, want %d and %d", got.Distinct, got.Rare, len(records), rare)
	}
}

// Rows that represent several records count as that many.
func TestSummaryOfGroups(t *testing.T) {
	data, err := microdata.NewGrouped([]*microdata.Column{numbersColumn(t, []float64{1, 2, 2})}, []int{3, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	column, _ := data.Column("x")
	if got := Summarise(column, 3); got.Distinct != 2 || got.Rare != 2 {
		t.Errorf("%+v", *got)
	}
}

func numbersColumn(t *testing.T, values []float64) *microdata.Column {
	t.Helper()
	column := microdata.NewNumeric("x", microdata.Number, &microdata.Numbers{Values: values})
	return column
}

// A frequency table lists the most frequent categories in their order, the others together, and missing cells. A
// category that a step created has no frequency in the original.
func TestFrequencyTable(t *testing.T) {
	data := read(t, "a\n1\n1\n1\n2\n3\n3\n4\n\"\"\n")
	was, _ := data.Column("a")
	levels := []microdata.Level{{Label: "1", Value: 1}, {Label: "2", Value: 2}, {Label: "3 or 4", Value: math.NaN()}}
	now := was.WithCategories(microdata.Category, &microdata.Categories{Levels: levels,
		Codes: was.Categories().Codes.Mapped(3, []uint32{0, 1, 2, 3, 3})})
	weights := []float64{1, 2, 3, 4, 5, 6, 7, 8}
	m := &frequencies{Most: 2}
	got := m.table(now, was, ofLevels(now.Categories(), weights), weights)
	var lines []string
	for _, row := range got.Text() {
		lines = append(lines, strings.Join(row, "|"))
	}
	want := "category|records|percent|population|original|percent of original\n1|3|37.500\u00a0%|6.00|3|37.500\u00a0%\n" +
		"3 or 4|3|37.500\u00a0%|18.00|–|–\n1 other|1|12.500\u00a0%|4.00|–|–\nmissing|1|12.500\u00a0%|8.00|1|12.500\u00a0%"
	if text := strings.Join(lines, "\n"); text != want {
		t.Errorf("%s\nwant\n%s", text, want)
	}
}

// Bins cover all numbers from the lowest to the highest, even if their range exceeds a double.
func TestBinsOfExtremeNumbers(t *testing.T) {
	for _, r := range [][2]float64{{-9e307, 9e307}, {-math.MaxFloat64, math.MaxFloat64}, {0, math.MaxFloat64},
		{-1.7e308, -1.6e308}, {-5e-324, 5e-324}, {1.7e308, math.Nextafter(1.7e308, math.Inf(1))}} {
		for most := 2; most < 40; most++ {
			bins := RoundBins(r[0], r[1], most, false)
			first, low := bins.Of(r[0])
			last, high := bins.Of(r[1])
			if bins.Count > most || bins.Count < 1 || !low || !high || first > last || math.IsInf(bins.Lower(bins.Count), 0) {
				t.Errorf("%v in %d: %+v, from %d %v to %d %v", r, most, bins, first, low, last, high)
			}
		}
	}
}

// Numbers that are too many for a single tally are counted in several.
func TestSummaryOfNumbersInSeveralTallies(t *testing.T) {
	values := make([]float64, 0, 3*mostTallied)
	for i := range mostTallied + mostTallied/2 {
		for range 1 + i%2 {
			values = append(values, float64(i)/8)
		}
	}
	if got := Summarise(numbersColumn(t, values), 2); got.Distinct != mostTallied*3/2 || got.Rare != mostTallied*3/4 {
		t.Errorf("%d values, %d of them once", got.Distinct, got.Rare)
	}
}
