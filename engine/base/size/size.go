// Package size measures the memory of data, so that caches can have a budget.
package size

import (
	"reflect"
	"slices"
)

// Of returns the bytes of slices of one type, without memory that their elements point to.
func Of[T any](slices ...[]T) int {
	elements := 0
	for _, slice := range slices {
		elements += cap(slice)
	}
	return elements * int(reflect.TypeFor[T]().Size())
}

// Held returns the bytes of everything that a value points to, except values of the types in elsewhere and
// variables captured by functions. Long slices whose elements point to memory are sampled.
func Held(value any, elsewhere ...reflect.Type) int {
	h := holding{elsewhere, map[uintptr]bool{}}
	return h.of(reflect.ValueOf(value))
}

type holding struct {
	elsewhere []reflect.Type
	seen      map[uintptr]bool
}

func (h *holding) of(v reflect.Value) (bytes int) {
	switch v.Kind() {
	case reflect.String:
		return v.Len()
	case reflect.Interface:
		return h.of(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			bytes += h.of(v.Field(i))
		}
	case reflect.Array:
		bytes = h.elements(v)
	case reflect.Map:
		bytes = v.Len() * int(v.Type().Key().Size()+v.Type().Elem().Size())
	case reflect.Pointer, reflect.Slice:
		element := v.Type().Elem()
		if v.IsNil() || h.seen[v.Pointer()] || slices.Contains(h.elsewhere, element) {
			return 0
		}
		h.seen[v.Pointer()] = true
		if v.Kind() == reflect.Pointer {
			return int(element.Size()) + h.of(v.Elem())
		}
		return v.Cap()*int(element.Size()) + h.elements(v)
	}
	return bytes
}

// most is the maximum number of elements of a slice that are visited.
const most = 1 << 10

// elements returns the bytes that the elements of a slice or array point to.
func (h *holding) elements(v reflect.Value) (bytes int) {
	if v.Type().Elem().Kind() <= reflect.Complex128 { // numbers
		return 0
	}
	step := (v.Len() + most - 1) / most
	for i := 0; i < v.Len(); i += step {
		bytes += step * h.of(v.Index(i))
	}
	return bytes
}
