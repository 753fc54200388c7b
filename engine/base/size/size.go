// Package size counts the memory of what is kept, so that a cache can have a budget.
//
//	func (v *Values) Bytes() int { return size.Of(v.All) + size.OfTexts(v.labels) }
package size

import "reflect"

// Of returns the bytes of slices of one type, without what their elements point to.
func Of[T any](slices ...[]T) int {
	elements := 0
	for _, slice := range slices {
		elements += cap(slice)
	}
	return elements * int(reflect.TypeFor[T]().Size())
}

// OfTexts returns the bytes of texts, which nothing else holds.
func OfTexts(texts []string) int {
	bytes := Of(texts)
	for _, text := range texts {
		bytes += len(text)
	}
	return bytes
}

// OfAll returns the bytes of several things that say theirs.
func OfAll[T interface{ Bytes() int }](all []T) int {
	bytes := Of(all)
	for _, one := range all {
		bytes += one.Bytes()
	}
	return bytes
}
