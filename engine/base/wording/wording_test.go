package wording

import (
	"math"
	"strings"
	"testing"
)

func TestNumber(t *testing.T) {
	for n, want := range map[int]string{0: "0", 7: "7", 999: "999", 1000: "1,000", 123456: "123,456", 1234567: "1,234,567",
		-7: "-7", -999: "-999", -1000: "-1,000", -123456: "-123,456"} {
		if got := Number(n); got != want {
			t.Errorf("%d is written %q, want %q", n, got, want)
		}
	}
}

func TestCounted(t *testing.T) {
	for n, want := range map[int]string{0: "0 cells", 1: "1 cell", 2936: "2,936 cells"} {
		if got := Counted(n, "cell"); got != want {
			t.Errorf("%d cells are written %q, want %q", n, got, want)
		}
	}
}

func TestThereAre(t *testing.T) {
	for n, want := range map[int]string{0: "there are 0 records", 1: "there is 1 record",
		5000: "there are 5,000 records"} {
		if got := ThereAre(n, "record"); got != want {
			t.Errorf("ThereAre(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestCountedAs(t *testing.T) {
	for n, want := range map[int]string{0: "0 categories", 1: "1 category", 2936: "2,936 categories"} {
		if got := CountedAs(n, "category", "categories"); got != want {
			t.Errorf("%d categories are written %q, want %q", n, got, want)
		}
	}
}

func TestDoes(t *testing.T) {
	for _, test := range []struct {
		n    int
		verb string
		want string
	}{
		{1, "lie outside the intervals", "1 cell lies outside the intervals"},
		{2, "lie outside the intervals", "2 cells lie outside the intervals"},
		{1, "have no value", "1 cell has no value"},
		{1, "are empty", "1 cell is empty"},
		{1, "do not fit", "1 cell does not fit"},
		{0, "stay", "0 cells stay"},
		{1, "stay", "1 cell stays"},
	} {
		if got := Does(test.n, "cell", test.verb); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

func TestThousands(t *testing.T) {
	for text, want := range map[string]string{"14117.25": "14,117.25", "-1234567": "-1,234,567", "-123": "-123",
		"0.12345": "0.12345", "1.234e+20": "1.234e+20", "1e+06": "1e+06"} {
		if got := Thousands(text); got != want {
			t.Errorf("%s is written %s, want %s", text, got, want)
		}
	}
}

func TestLarge(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 1920000: "1,920,000", 29760000: "29.8 million", 123456789: "123 million",
		999.4e6: "999 million", 999.6e6: "1 billion", 3.14e9: "3.14 billion", 2e12: "2 trillion", 1.23e18: "1.2 × 10^18"} {
		if got := Large(x); got != want {
			t.Errorf("%g is written %q, want %q", x, got, want)
		}
	}
}

func TestExpected(t *testing.T) {
	for x, want := range map[float64]string{0: "0.00", 2.84e-71: "fewer than 0.001", 0.0031: "0.00310", 46.41: "46.41"} {
		if got := Expected(x); got != want {
			t.Errorf("%g is written %q, want %q", x, got, want)
		}
	}
}

func TestAmountsHaveTheSameDecimals(t *testing.T) {
	for _, test := range []struct {
		amounts []float64
		want    string
	}{
		{[]float64{84.84, 0.494}, "84.84 0.49"}, {[]float64{384.8, 2.43, 0}, "384.80 2.43 0.00"},
		{[]float64{0.00201, 0.19, 0.491}, "0.002 0.190 0.491"}, {[]float64{5.5, 1.16e-8}, "5.50 <0.01"},
		{[]float64{12345, 0.494}, "12,345 0.49"}, {[]float64{1e-8, 0}, "1e-08 0.00"},
		{[]float64{math.NaN(), 2}, "– 2.00"}, {[]float64{-0.5, 2}, "-0.50 2.00"}, {[]float64{-0.001, 2}, ">-0.01 2.00"},
		{nil, ""},
	} {
		if got := strings.Join(Amounts(test.amounts...), " "); got != test.want {
			t.Errorf("%v are written %q, want %q", test.amounts, got, test.want)
		}
	}
}

func TestTick(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 0.1 + 0.2: "0.3", 20000: "20,000", 2e6: "2,000,000", -0.25: "-0.25", 1e20: "1e+20"} {
		if got := Tick(x); got != want {
			t.Errorf("%v is written %q, want %q", x, got, want)
		}
	}
	if got := Limit(0.007); got != "0.7 %" {
		t.Errorf("a limit of 0.7 %% is written %q", got)
	}
}
