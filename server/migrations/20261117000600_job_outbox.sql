-- Jobs of statements that must not notify; the worker moves them to the job engine (decision 065). The release before writes here
-- too, through enqueue_job, but does not move them: its emails about orders wait until the worker of this release runs.

CREATE TABLE job_outbox (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL,
    payload json NOT NULL,
    max_attempts smallint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);

-- To lock a row that is about to be deleted takes the right to update one.
GRANT SELECT, INSERT, UPDATE, DELETE ON job_outbox TO thunse_app;
