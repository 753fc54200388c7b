package minimal

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// surveyFile is the project's fictitious survey.
const surveyFile = "../../../testdata/survey.csv"

// surveyKeys are its default key variables.
var surveyKeys = []string{"region", "urbrur", "sex", "age", "marital", "educ", "ethnic"}

func surveyProblem(tb testing.TB, names []string, k int) *Problem {
	tb.Helper()
	header, rows := readTable(tb, filepath.FromSlash(surveyFile), ',')
	return problemOf(tb, header, rows, names, k)
}

// TestSurvey solves the survey with ages in years.
func TestSurvey(t *testing.T) {
	p := surveyProblem(t, surveyKeys, 3)
	s := solve(t, p)
	if s.Bound != 5450 || s.Price > 5600 {
		t.Errorf("bound %d, should be 5450; %d cells, should be at most 5600", s.Bound, s.Price)
	}
	if _, n, _ := countPatterns(p, s).violators(); n != 0 {
		t.Errorf("%d violators", n)
	}
}

// TestManyKeyVariables solves problems with too many sets of variables to enumerate.
func TestManyKeyVariables(t *testing.T) {
	longtests.Needed(t)
	header, rows := readTable(t, filepath.FromSlash(surveyFile), ',')
	for _, c := range []struct {
		name string
		p    *Problem
		rule Rule
		most int64
	}{
		{"survey, 20 keys", problemOf(t, header, rows[:2000], header[2:], 3), Conservative, 14200},
		{"64 independent variables", independent(300, 64), OwnCategory, 13900},
		{"64 independent variables", independent(300, 64), Default, 7500},
	} {
		c.p.Rule, c.p.Alpha = c.rule, 1
		s := solve(t, c.p)
		t.Logf("%s, rule %d: bound %d, %d cells", c.name, c.rule, s.Bound, s.Price)
		if s.Price > c.most || s.Bound > s.Price && c.rule != Default {
			t.Errorf("%s: bound %d, %d cells, should be at most %d", c.name, s.Bound, s.Price, c.most)
		}
		file, _ := apply(c.p, s)
		if n := file[:200].violatorsAmong(file, c.p.K, c.rule); n != 0 {
			t.Errorf("%s, rule %d: %d violators", c.name, c.rule, n)
		}
	}
}

// violatorsAmong returns how many of the records f violate k-anonymity in the whole file.
func (f naiveFile) violatorsAmong(file naiveFile, k int, rule Rule) int {
	n := 0
	for i := range f {
		if file.frequency(i, rule, 1) < float64(k) {
			n++
		}
	}
	return n
}

// independent returns records of independent variables with 2 to 10 categories.
func independent(records, variables int) *Problem {
	var levels []int
	for v := range variables {
		levels = append(levels, 2+v%9)
	}
	return randomProblem(1, records, levels)
}

// surveyLike returns a problem of any size with keys similar to the survey's.
func surveyLike(records int) *Problem {
	random := rand.New(rand.NewPCG(7, 7))
	p := &Problem{
		K: 3, Codes: make([][]uint32, 7), Levels: []int{8, 2, 2, 100, 5, 6, 6},
		Price: []int{1, 1, 1, 1, 1, 1, 1}, TieOrder: []int{3, 0, 6, 5, 4, 2, 1},
	}
	index := map[[7]uint32]int{}
	for range records {
		row := surveyRow(random)
		at, known := index[row]
		if !known {
			at = len(p.Count)
			index[row] = at
			p.Count = append(p.Count, 0)
			for v, code := range row {
				p.Codes[v] = append(p.Codes[v], code)
			}
		}
		p.Count[at]++
	}
	return p
}

// surveyRow draws region, urbrur, sex, age, marital, educ and ethnic.
func surveyRow(random *rand.Rand) [7]uint32 {
	region := draw(random, 24, 19, 16, 13, 11, 9, 5, 3)
	age := min(99, max(0, int(random.NormFloat64()*22+33)))
	row := [7]uint32{region, draw(random, 90-10*int(region), 10*int(region)), draw(random, 1, 1), uint32(age) + 1}
	if age >= 12 {
		row[4] = draw(random, max(2, 90-2*age), 10+age, max(1, age-20), 9, 4)
	}
	if age >= 5 && random.IntN(80) > 0 {
		row[5] = draw(random, 8, 31, 27*min(1, age/12), 20*min(1, age/12), 8*min(1, age/12), 6*min(1, age/12))
	}
	row[6] = draw(random, 710, 150, 80, 40, 14, 6)
	return row
}

// draw returns a category, numbered from 1, with the given weights.
func draw(random *rand.Rand, weights ...int) uint32 {
	total := 0
	for _, w := range weights {
		total += w
	}
	u := random.IntN(total)
	for i, w := range weights {
		if u -= w; u < 0 {
			return uint32(i + 1)
		}
	}
	return uint32(len(weights))
}

func BenchmarkSolve(b *testing.B) {
	for _, rows := range []int{5000, 100000, 1000000} {
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			var p *Problem
			if rows == 5000 {
				p = surveyProblem(b, surveyKeys, 3)
			} else {
				p = surveyLike(rows)
			}
			b.ReportAllocs()
			var s *Solution
			for b.Loop() {
				var err error
				if s, err = Solve(context.Background(), p, nil); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(s.Price), "cells")
			b.ReportMetric(float64(s.Price)/float64(s.Bound), "price/bound")
		})
	}
}
