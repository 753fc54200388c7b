package views

import "testing"

// A risk that four decimals would tell as none has the digits that count.
func TestRiskText(t *testing.T) {
	for risk, want := range map[float64]string{0: ".0000", 0.0335: ".0335", 0.00005: ".0001", 0.0000361: ".000036",
		1e-6: ".0000010"} {
		if got := RiskText(risk); got != want {
			t.Errorf("%g: %s, want %s", risk, got, want)
		}
	}
}
