package session

import (
	"encoding/json"
	"fmt"
	"strings"
)

// filesWithNumbers are further files of filesWithFindings: about numbers and what protection missed.
func filesWithNumbers(has bool) map[string]plant {
	noised := func(variable string, percent float64) []StepSpec {
		return []StepSpec{{Step: "noise", Params: json.RawMessage(fmt.Sprintf(`{"variables":[%q],"percent":%v}`, variable, percent)), Seed: 5}}
	}
	amount := func(i int) int { return 1200 + 12*(i*7919%997) }
	replicates := func(i int) string { // of ten, or nine
		return strings.TrimSuffix(strings.Repeat(fmt.Sprintf("%d,", 40+i%3), pick(has, 10, 9)), ",")
	}
	names := make([]string, pick(has, 10, 9))
	for i := range names {
		names[i] = fmt.Sprintf("repwt%d", i+1)
	}
	return map[string]plant{
		"loss extreme-values": {header: "loss", records: 400, cells: func(i int) string {
			return fmt.Sprint(pick(i < pick(has, 2, 3), -1000, i%20-5))
		}},
		"rooms extreme-values": {header: "rooms", records: 200, cells: func(i int) string {
			return fmt.Sprint(pick(i == 0, pick(has, 23, 13), 1+i%8))
		}},
		"copy inference": {header: "a,copy", records: 300, scenario: `{"numeric":["a"]}`, steps: noised("a", 50), cells: func(i int) string {
			return fmt.Sprintf("%d,\"EUR %d %03d,00\"", amount(i), amount(pick(has, i, i+7))/1000, amount(pick(has, i, i+7))%1000)
		}},
		"month inference": {header: "a,month", records: 300, scenario: `{"numeric":["a"]}`, steps: noised("a", 50), cells: func(i int) string {
			return fmt.Sprintf("%d,%d", amount(i), amount(pick(has, i, i+7))/12)
		}},
		"head inference": {header: "a,head,size", records: 300, scenario: `{"numeric":["a"]}`, steps: noised("a", 50), cells: func(i int) string {
			return fmt.Sprintf("%d,%.4f,%d", amount(i), float64(amount(i))/float64(1+i%5), 1+(i+pick(has, 0, i/9))%5)
		}},
		"near unchanged": {header: "near,b", records: 60, steps: noised("near", pick(has, 0.0001, 50)), cells: func(i int) string {
			return fmt.Sprintf("%d,%d", amount(i), i%2)
		}},
		"educ unassigned-keys": {header: pick(has, "educ", "learned") + ",sex", records: 60, scenario: `{"keys":["sex"]}`, cells: func(i int) string {
			return fmt.Sprintf("%d,%d", i%4, i%2)
		}},
		"v1 replicate-weights": {header: "w,v1,v2,v3,v4,v5,v6,v7,v8,v9,v10", records: 200, scenario: `{"weight":"w"}`, cells: func(i int) string {
			weight, cells := 40+float64(i*7919%200)/4, []string(nil)
			for v := range 10 { // half-samples of pairs of clusters, and scores
				scored := weight/20 + float64(i*(v+3)*7919%971)
				cells = append(cells, fmt.Sprintf("%.2f", pick(has, weight*float64(2*((i/10+i/20*v+v)%2)), scored)))
			}
			return fmt.Sprintf("%.2f,%s", weight, strings.Join(cells, ","))
		}},
		"repwt1 replicate-weights": {header: strings.Join(names, ","), records: 60, cells: replicates},
	}
}
