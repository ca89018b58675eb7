-- Why an import was refused or failed, as a message id with arguments (decision 063), so that it is read in the reader's language.
-- A column without a default takes a lock for a moment. The release before goes on writing `message`, whose text is shown where there
-- is no problem; imports are deleted after 30 days, so `message` can be dropped in a later release.

ALTER TABLE imports ADD COLUMN problem jsonb;
