package pram

import "strings"

// NotApplicable says why k-anonymity and the risk of categorical keys cannot be
// told: PRAM has drawn the values of these key variables anew, and who shares a
// key with whom says nothing any more. "" where there are none.
func NotApplicable(keys []string) string {
	if len(keys) == 0 {
		return ""
	}
	return "PRAM has been applied to " + strings.Join(keys, ", ")
}
