package wording

import (
	"math"
	"slices"
	"testing"
)

func TestPercent(t *testing.T) {
	for share, want := range map[float64]string{0: "0.0 %", 1: "100.0 %", 0.02467: "2.5 %", 0.5: "50.0 %", 0.0004: "0.04 %",
		0.00096: "0.1 %", 0.9998: "99.98 %", 0.1: "10.0 %", 0.01: "1.0 %", 0.000000012: "<0.001 %", -0.000000012: ">-0.001 %", 0.0000051: "0.001 %", 1 - 1e-8: ">99.999 %", 1e-17: "0.0 %",
		1 - 1e-16: "100.0 %", -0.0004: "-0.04 %", 12.5: "1,250.0 %", math.Inf(1): "–"} {
		if got := Percent(share); got != want {
			t.Errorf("%v is %q, want %q", share, got, want)
		}
	}
	if got := PercentOf(0, 0); got != "–" {
		t.Errorf("a share of nothing is %q", got)
	}
}

func TestPercentsHaveTheSameDecimals(t *testing.T) {
	want := []string{"12.50 %", "0.04 %", "0.00 %", "–"}
	if got := Percents(0.125, 0.0004, 0, math.NaN()); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestPercentAgainstShowsTheSide(t *testing.T) {
	for share, want := range map[float64]string{0.01004: "1.004 %", 0.01: "1.0 %", 0.016: "1.6 %"} {
		if got := PercentAgainst(share, 0.01); got != want {
			t.Errorf("%v is %q, want %q", share, got, want)
		}
	}
}
