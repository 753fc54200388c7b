package views

import (
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// A risk that would be zero with four decimals has more digits.
func TestRiskText(t *testing.T) {
	for risk, want := range map[float64]string{0: "0.0000", 0.0335: "0.0335", 0.00005: "0.0001", 0.0000361: "0.000036",
		1e-6: "0.0000010"} {
		if got := RiskText(risk); got != want {
			t.Errorf("%g: %s, want %s", risk, got, want)
		}
	}
}

// A global risk that would be zero with two decimals has a third.
func TestRiskLineTellsLowRisks(t *testing.T) {
	s := State{Look: draw.Look{Theme: draw.NewTheme(true, false)}, Scenario: &microdata.Scenario{Keys: []string{"age"}}}
	for global, want := range map[float64]string{0: "(0.0 %)", 0.00002: "(0.002 %)", 0.017: "(1.7 %)"} {
		s.Current.Assessment = &risk.Assessment{Global: global}
		if got := RiskLine(s, 80); !strings.Contains(got, want) {
			t.Errorf("%g: %s, want %s", global, got, want)
		}
	}
}
