package survey

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// DrawGroups returns groups with the requested number of records and distinct values, and with the shares of
// persons drawn one by one.
func TestGroupsAreASurvey(t *testing.T) {
	variables := []string{"sex", "age", "region", "educ", "urbrur"}
	for _, persons := range []int{1, 5000, 4_000_000_000} {
		data, err := DrawGroups(persons, variables, 3)
		again, _ := DrawGroups(persons, variables, 3)
		if err != nil || data.Hash() != again.Hash() {
			t.Fatalf("drawn again they differ: %v", err)
		}
		if data.Records() != int(persons) {
			t.Errorf("%d records of %d", data.Records(), persons)
		}
		seen, women := map[[5]uint32]bool{}, 0
		for group, records := range data.Multiplicity() {
			key := [5]uint32{}
			for i, name := range variables {
				column, _ := data.Column(name)
				key[i] = column.Categories().Codes.At(group)
			}
			if seen[key] {
				t.Fatalf("group %v twice", key)
			}
			seen[key] = true
			if sex, _ := data.Column("sex"); sex.Text(group) == "female" {
				women += int(records)
			}
		}
		weight, _ := data.Column("weight")
		if weight.Float(0) < 100 || weight.Float(0)/float64(data.Multiplicity()[0]) > 1000 {
			t.Errorf("the first group weighs %g", weight.Float(0))
		}
		if share := float64(women) / float64(persons); persons > 1 && math.Abs(share-.48) > .03 { // of the embedded survey, 2,402 of 5,000
			t.Errorf("%g of %d are women", share, persons)
		}
	}
}

// Drawn numbers have the mean and variance of the binomial distribution.
func TestBinomial(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for _, c := range []struct {
		n int
		p float64
	}{{1, .3}, {20, .02}, {20, .9}, {1000, .01}, {1000, .5}, {4_000_000_000, 1e-9}, {4_000_000_000, .25}} {
		const draws = 20_000
		sum, squares := 0.0, 0.0
		mean, variance := float64(c.n)*c.p, float64(c.n)*c.p*(1-c.p)
		for range draws {
			x := float64(binomial(random, c.n, c.p)) - mean
			sum, squares = sum+x, squares+x*x
		}
		if off := math.Abs(sum/draws) / math.Sqrt(variance/draws); off > 4 {
			t.Errorf("%+v: the mean is %g standard errors off", c, off)
		}
		if ratio := squares / draws / variance; math.Abs(ratio-1) > .06 {
			t.Errorf("%+v: the variance is %g of what it is", c, ratio)
		}
	}
}

func BenchmarkDrawGroups(b *testing.B) {
	for b.Loop() {
		data, err := DrawGroups(100_000_000, strings.Fields("region urbrur age sex marital educ ethnic health"), 1)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(data.Len()), "groups")
	}
}
