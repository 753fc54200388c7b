// Package suda finds special uniques: the minimal sample uniques (MSU) of every
// record, and what they say of its risk.
//
// An MSU of a record is a set of key variables whose values no other record has,
// while every smaller set of them has values that another record shares. A missing
// value belongs to none. The fewer variables an MSU has, and the more MSUs a
// record has, the more it stands out. [Elliot, Manning and Ford 2002; Manning,
// Haglin and Keane 2008, A recursive search algorithm for statistical disclosure
// assessment]
//
//	found, err := suda.Find(ctx, table, suda.Options{Fraction: 0.01}, nil)
//	fmt.Println(found.Score(key), found.DIS(key), found.Uniques(key))
//
// The search goes by distinct keys: keys that agree on a set of variables form a
// group, which a further variable parts. A key alone in its part is unique there
// and leaves the search, of two keys all that tells them apart is known at once, and
// groups in which every key has several records end there.
package suda
