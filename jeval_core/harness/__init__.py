"""Runs that stay: a store of what was scored, its results to be opened again, and jobs that fill it.

::

    store = Store.open()                        # jeval_core.harness.store
    id = store.save_run(run)                    # the same content has the same id
    results = store.run(id)                     # jeval_core.harness.results: columns, read when asked for
    jobs = Jobs(store)                          # jeval_core.harness.jobs: work that survives a page
    jobs.start(jobs.add(Spec(...)))             # jeval_core.harness.spec: how a run is made
"""
