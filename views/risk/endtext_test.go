package risk

import "testing"

func TestEndText(t *testing.T) {
	for threshold, want := range map[float64]string{0.05: "0.05", 0.0128: "0.0128", 0.01284: "0.0128", 1: "1", 0.000036: "0.000036"} {
		if got := EndText(threshold, threshold); got != want {
			t.Errorf("%v is %q, not %q", threshold, got, want)
		}
	}
}
