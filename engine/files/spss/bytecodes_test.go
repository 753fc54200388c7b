package spss

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// Passing and expanding elements end at the same position, for any padding, literals and starting position within
// a group.
func TestPassingEndsWhereExpandingDoes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var data []byte
	elements := 0
	for range 3000 {
		var codes [8]byte
		literals := 0
		for i := range codes {
			codes[i] = []byte{codePadding, 101, codeLiteral, codeLiteral, codeBlanks, codeMissing, 7}[random.IntN(7)]
			if codes[i] != codePadding {
				elements++
			}
			if codes[i] == codeLiteral {
				literals++
			}
		}
		data = append(data, codes[:]...)
		for range 8 * literals {
			data = append(data, byte(random.UintN(256)))
		}
	}
	c := newCoded(binary.LittleEndian, bias, systemMissing)
	var at spot
	for left := elements; left > 0; {
		n := min(left, 1+random.IntN(40))
		next, passed, ended := c.pass(data, at, n)
		if passed != n || ended {
			t.Fatalf("of %d elements %d are passed", n, passed)
		}
		if expanded := c.expand(make([]byte, 8*n), data, at); expanded != next {
			t.Fatalf("passing ends at %+v and expanding at %+v", next, expanded)
		}
		at, left = next, left-n
	}
	if _, passed, _ := c.pass(data, at, 1); passed != 0 {
		t.Error("there are elements beyond the last")
	}
}

// A group with some literals cut off has the same number of elements, read at once or one by one.
func TestElementsOfACutGroup(t *testing.T) {
	group := []byte{101, codeLiteral, codePadding, codeLiteral, 7, codeLiteral, codeBlanks, codeMissing}
	group = append(group, make([]byte, 3*8)...)
	c := newCoded(binary.LittleEndian, bias, systemMissing)
	for size, expected := range map[int]int{0: 0, 7: 0, 8: 1, 15: 1, 16: 2, 24: 4, 31: 4, 32: 7} {
		_, atOnce, _ := c.pass(group[:size], spot{}, 8)
		single, at := 0, spot{}
		for {
			next, passed, _ := c.pass(group[:size], at, 1)
			if passed == 0 {
				break
			}
			at, single = next, single+1
		}
		if atOnce != expected || single != expected {
			t.Errorf("of %d bytes there are %d elements at once and %d one after the other, expected %d", size, atOnce, single,
				expected)
		}
	}
}
