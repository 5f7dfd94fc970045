import type { CollectionName, RecordOf } from '../records/records'
import type { Collection, Library } from './library'
import type { Op } from './library-data'

/** The steps of a change that has not been applied: records before it and after it. */
export class RecordChange {
  constructor(
    protected readonly ops: readonly Op[],
    protected readonly library: Library,
  ) {}

  /** Whether it restores from the trash, which is no event. */
  get isRestore(): boolean {
    return this.ops.some(([kind, name]) => kind === 'delete' && name === 'trash')
  }

  /** Returns the records that the change writes, each with its previous version. */
  puts<Name extends CollectionName>(
    name: Name,
  ): [after: RecordOf<Name>, before: RecordOf<Name> | undefined][] {
    const collection = this.library.collection(name) as Collection<RecordOf<Name>>
    return this.ops.flatMap((op): [RecordOf<Name>, RecordOf<Name> | undefined][] =>
      op[0] === 'put' && op[1] === name ? [[op[3] as RecordOf<Name>, collection.get(op[2])]] : [],
    )
  }

  /** Returns the ids of the records that the change deletes. */
  deletes(name: CollectionName): string[] {
    return this.ops.flatMap((op) => (op[0] === 'delete' && op[1] === name ? [op[2]] : []))
  }

  /** Finds a record as it is after the change. */
  find<Name extends CollectionName>(name: Name, id: string): RecordOf<Name> | undefined {
    const put = this.ops.findLast((op) => op[0] === 'put' && op[1] === name && op[2] === id)
    return put?.[0] === 'put'
      ? (put[3] as RecordOf<Name>)
      : (this.library.collection(name) as Collection<RecordOf<Name>>).get(id)
  }
}
