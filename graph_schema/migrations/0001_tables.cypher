// Tables of the graph. Times are INT64 microseconds since 1970 UTC, lists are JSON strings, enumerations with an
// order are numbers. Only fixed-width columns are ever set after a row is there.

CREATE NODE TABLE `Agent` (
    `key` STRING, `title` STRING, PRIMARY KEY (`key`)
);
CREATE NODE TABLE `Project` (
    `key` STRING, `name` STRING, `root` STRING, `remote` STRING, `keys` STRING, `created_at` INT64,
    PRIMARY KEY (`key`)
);
CREATE NODE TABLE `Session` (
    `key` STRING, `agent` STRING, `host_id` STRING, `project` STRING, `parent` STRING, `cwd` STRING, `branch` STRING,
    `remote` STRING, `title` STRING, `file` STRING, `started_at` INT64, `last_at` INT64, `ended_at` INT64,
    `messages` INT64, PRIMARY KEY (`key`)
);
CREATE NODE TABLE `Message` (
    `key` STRING, `session` STRING, `agent` STRING, `project` STRING, `record` STRING, `seq` INT64, `role` STRING,
    `via` STRING, `text` STRING, `at` INT64, `file` STRING, `line` INT64, `line_end` INT64, `sha256` STRING,
    PRIMARY KEY (`key`)
);
CREATE NODE TABLE `ToolEvent` (
    `key` STRING, `session` STRING, `agent` STRING, `project` STRING, `record` STRING, `seq` INT64, `name` STRING,
    `input` STRING, `output` STRING, `status` STRING, `exit_code` INT64, `at` INT64, `file` STRING, `line` INT64,
    `line_end` INT64, `sha256` STRING, PRIMARY KEY (`key`)
);
CREATE NODE TABLE `Symbol` (
    `key` STRING, `name` STRING, `project` STRING, PRIMARY KEY (`key`)
);
CREATE NODE TABLE `File` (
    `key` STRING, `path` STRING, `project` STRING, PRIMARY KEY (`key`)
);
CREATE NODE TABLE `Happening` (
    `key` STRING, `subject` STRING, `what` STRING, `value` STRING, `detail` STRING, `actor` STRING, `at` INT64,
    PRIMARY KEY (`key`)
);
CREATE NODE TABLE `ModelCall` (
    `key` STRING, `at` INT64, `model` STRING, `purpose` STRING, `session` STRING, `tokens_in` INT64,
    `tokens_out` INT64, `cost_microusd` INT64, `outcome` STRING, PRIMARY KEY (`key`)
);
CREATE NODE TABLE `Tombstone` (
    `key` STRING, `at` INT64, PRIMARY KEY (`key`)
);
CREATE NODE TABLE `Observation` (
    `key` STRING, `id` STRING, `revision` INT64, `kind` STRING, `text` STRING, `raw` STRING, `content_hash` STRING,
    `topic_key` STRING, `scope` STRING, `project` STRING, `tags` STRING, `agent` STRING, `session` STRING,
    `message` STRING, `file` STRING, `line` INT64, `line_end` INT64, `sha256` STRING, `sources` STRING,
    `observer` STRING, `rule` STRING, `operation` STRING, `created_at` INT64, `recorded_at` INT64, `valid_from` INT64,
    `status` INT64, `current` BOOL, `priority` INT64, `confidence` DOUBLE, `pinned` BOOL, `done` BOOL, `seen` INT64,
    `sessions` INT64, `last_seen_at` INT64, `valid_until` INT64, `review_after` INT64, `expires_at` INT64,
    PRIMARY KEY (`key`)
);
CREATE NODE TABLE `Reflection` (
    `key` STRING, `id` STRING, `revision` INT64, `kind` STRING, `text` STRING, `raw` STRING, `content_hash` STRING,
    `topic_key` STRING, `scope` STRING, `project` STRING, `tags` STRING, `agent` STRING, `session` STRING,
    `message` STRING, `file` STRING, `line` INT64, `line_end` INT64, `sha256` STRING, `sources` STRING,
    `observer` STRING, `rule` STRING, `operation` STRING, `created_at` INT64, `recorded_at` INT64, `valid_from` INT64,
    `status` INT64, `current` BOOL, `priority` INT64, `confidence` DOUBLE, `pinned` BOOL, `done` BOOL, `seen` INT64,
    `sessions` INT64, `last_seen_at` INT64, `valid_until` INT64, `review_after` INT64, `expires_at` INT64,
    PRIMARY KEY (`key`)
);
CREATE NODE TABLE `Preference` (
    `key` STRING, `id` STRING, `revision` INT64, `kind` STRING, `text` STRING, `raw` STRING, `content_hash` STRING,
    `topic_key` STRING, `scope` STRING, `project` STRING, `tags` STRING, `agent` STRING, `session` STRING,
    `message` STRING, `file` STRING, `line` INT64, `line_end` INT64, `sha256` STRING, `sources` STRING,
    `observer` STRING, `rule` STRING, `operation` STRING, `created_at` INT64, `recorded_at` INT64, `valid_from` INT64,
    `status` INT64, `current` BOOL, `priority` INT64, `confidence` DOUBLE, `pinned` BOOL, `done` BOOL, `seen` INT64,
    `sessions` INT64, `last_seen_at` INT64, `valid_until` INT64, `review_after` INT64, `expires_at` INT64,
    PRIMARY KEY (`key`)
);
CREATE NODE TABLE `Principle` (
    `key` STRING, `id` STRING, `revision` INT64, `kind` STRING, `text` STRING, `raw` STRING, `content_hash` STRING,
    `topic_key` STRING, `scope` STRING, `project` STRING, `tags` STRING, `agent` STRING, `session` STRING,
    `message` STRING, `file` STRING, `line` INT64, `line_end` INT64, `sha256` STRING, `sources` STRING,
    `observer` STRING, `rule` STRING, `operation` STRING, `created_at` INT64, `recorded_at` INT64, `valid_from` INT64,
    `status` INT64, `current` BOOL, `priority` INT64, `confidence` DOUBLE, `pinned` BOOL, `done` BOOL, `seen` INT64,
    `sessions` INT64, `last_seen_at` INT64, `valid_until` INT64, `review_after` INT64, `expires_at` INT64,
    PRIMARY KEY (`key`)
);
CREATE NODE TABLE `Memento` (
    `key` STRING, `id` STRING, `revision` INT64, `kind` STRING, `text` STRING, `raw` STRING, `content_hash` STRING,
    `topic_key` STRING, `scope` STRING, `project` STRING, `tags` STRING, `agent` STRING, `session` STRING,
    `message` STRING, `file` STRING, `line` INT64, `line_end` INT64, `sha256` STRING, `sources` STRING,
    `observer` STRING, `rule` STRING, `operation` STRING, `created_at` INT64, `recorded_at` INT64, `valid_from` INT64,
    `status` INT64, `current` BOOL, `priority` INT64, `confidence` DOUBLE, `pinned` BOOL, `done` BOOL, `seen` INT64,
    `sessions` INT64, `last_seen_at` INT64, `valid_until` INT64, `review_after` INT64, `expires_at` INT64,
    PRIMARY KEY (`key`)
);

// Edges. Relations between memories are never changed: a later decision is another edge of a higher rank.

CREATE REL TABLE `in_session` (
    FROM Message TO Session, FROM ToolEvent TO Session, FROM Observation TO Session, FROM Reflection TO Session,
    FROM Preference TO Session, FROM Principle TO Session, FROM Memento TO Session, `at` INT64, `status` STRING,
    `confidence` DOUBLE, `reason` STRING
);
CREATE REL TABLE `in_project` (
    FROM Session TO Project, FROM Observation TO Project, FROM Reflection TO Project, FROM Preference TO Project,
    FROM Principle TO Project, FROM Memento TO Project, `at` INT64, `status` STRING, `confidence` DOUBLE,
    `reason` STRING
);
CREATE REL TABLE `by_agent` (
    FROM Session TO Agent, `at` INT64, `status` STRING, `confidence` DOUBLE, `reason` STRING
);
CREATE REL TABLE `child_of` (
    FROM Session TO Session, `at` INT64, `status` STRING, `confidence` DOUBLE, `reason` STRING
);
CREATE REL TABLE `derived_from` (
    FROM Observation TO Message, FROM Reflection TO Message, FROM Preference TO Message, FROM Principle TO Message,
    FROM Memento TO Message, FROM Observation TO ToolEvent, FROM Reflection TO ToolEvent,
    FROM Preference TO ToolEvent, FROM Principle TO ToolEvent, FROM Memento TO ToolEvent, `at` INT64, `status` STRING,
    `confidence` DOUBLE, `reason` STRING
);
CREATE REL TABLE `condenses` (
    FROM Observation TO Observation, FROM Observation TO Reflection, FROM Observation TO Preference,
    FROM Observation TO Principle, FROM Observation TO Memento, FROM Reflection TO Observation,
    FROM Reflection TO Reflection, FROM Reflection TO Preference, FROM Reflection TO Principle,
    FROM Reflection TO Memento, FROM Preference TO Observation, FROM Preference TO Reflection,
    FROM Preference TO Preference, FROM Preference TO Principle, FROM Preference TO Memento,
    FROM Principle TO Observation, FROM Principle TO Reflection, FROM Principle TO Preference,
    FROM Principle TO Principle, FROM Principle TO Memento, FROM Memento TO Observation, FROM Memento TO Reflection,
    FROM Memento TO Preference, FROM Memento TO Principle, FROM Memento TO Memento, `at` INT64, `status` STRING,
    `confidence` DOUBLE, `reason` STRING
);
CREATE REL TABLE `merged_from` (
    FROM Observation TO Observation, FROM Observation TO Reflection, FROM Observation TO Preference,
    FROM Observation TO Principle, FROM Observation TO Memento, FROM Reflection TO Observation,
    FROM Reflection TO Reflection, FROM Reflection TO Preference, FROM Reflection TO Principle,
    FROM Reflection TO Memento, FROM Preference TO Observation, FROM Preference TO Reflection,
    FROM Preference TO Preference, FROM Preference TO Principle, FROM Preference TO Memento,
    FROM Principle TO Observation, FROM Principle TO Reflection, FROM Principle TO Preference,
    FROM Principle TO Principle, FROM Principle TO Memento, FROM Memento TO Observation, FROM Memento TO Reflection,
    FROM Memento TO Preference, FROM Memento TO Principle, FROM Memento TO Memento, `at` INT64, `status` STRING,
    `confidence` DOUBLE, `reason` STRING
);
CREATE REL TABLE `revises` (
    FROM Observation TO Observation, FROM Reflection TO Reflection, FROM Preference TO Preference,
    FROM Principle TO Principle, FROM Memento TO Memento, `at` INT64, `status` STRING, `confidence` DOUBLE,
    `reason` STRING
);
CREATE REL TABLE `mentions` (
    FROM Observation TO Symbol, FROM Reflection TO Symbol, FROM Preference TO Symbol, FROM Principle TO Symbol,
    FROM Memento TO Symbol, FROM Observation TO File, FROM Reflection TO File, FROM Preference TO File,
    FROM Principle TO File, FROM Memento TO File, `at` INT64, `status` STRING, `confidence` DOUBLE, `reason` STRING
);
CREATE REL TABLE `supersedes` (
    FROM Observation TO Observation, FROM Observation TO Reflection, FROM Observation TO Preference,
    FROM Observation TO Principle, FROM Observation TO Memento, FROM Reflection TO Observation,
    FROM Reflection TO Reflection, FROM Reflection TO Preference, FROM Reflection TO Principle,
    FROM Reflection TO Memento, FROM Preference TO Observation, FROM Preference TO Reflection,
    FROM Preference TO Preference, FROM Preference TO Principle, FROM Preference TO Memento,
    FROM Principle TO Observation, FROM Principle TO Reflection, FROM Principle TO Preference,
    FROM Principle TO Principle, FROM Principle TO Memento, FROM Memento TO Observation, FROM Memento TO Reflection,
    FROM Memento TO Preference, FROM Memento TO Principle, FROM Memento TO Memento, `at` INT64, `status` STRING,
    `confidence` DOUBLE, `reason` STRING, `rank` INT64
);
CREATE REL TABLE `conflicts_with` (
    FROM Observation TO Observation, FROM Observation TO Reflection, FROM Observation TO Preference,
    FROM Observation TO Principle, FROM Observation TO Memento, FROM Reflection TO Observation,
    FROM Reflection TO Reflection, FROM Reflection TO Preference, FROM Reflection TO Principle,
    FROM Reflection TO Memento, FROM Preference TO Observation, FROM Preference TO Reflection,
    FROM Preference TO Preference, FROM Preference TO Principle, FROM Preference TO Memento,
    FROM Principle TO Observation, FROM Principle TO Reflection, FROM Principle TO Preference,
    FROM Principle TO Principle, FROM Principle TO Memento, FROM Memento TO Observation, FROM Memento TO Reflection,
    FROM Memento TO Preference, FROM Memento TO Principle, FROM Memento TO Memento, `at` INT64, `status` STRING,
    `confidence` DOUBLE, `reason` STRING, `rank` INT64
);
CREATE REL TABLE `compatible` (
    FROM Observation TO Observation, FROM Observation TO Reflection, FROM Observation TO Preference,
    FROM Observation TO Principle, FROM Observation TO Memento, FROM Reflection TO Observation,
    FROM Reflection TO Reflection, FROM Reflection TO Preference, FROM Reflection TO Principle,
    FROM Reflection TO Memento, FROM Preference TO Observation, FROM Preference TO Reflection,
    FROM Preference TO Preference, FROM Preference TO Principle, FROM Preference TO Memento,
    FROM Principle TO Observation, FROM Principle TO Reflection, FROM Principle TO Preference,
    FROM Principle TO Principle, FROM Principle TO Memento, FROM Memento TO Observation, FROM Memento TO Reflection,
    FROM Memento TO Preference, FROM Memento TO Principle, FROM Memento TO Memento, `at` INT64, `status` STRING,
    `confidence` DOUBLE, `reason` STRING, `rank` INT64
);
CREATE REL TABLE `scoped` (
    FROM Observation TO Observation, FROM Observation TO Reflection, FROM Observation TO Preference,
    FROM Observation TO Principle, FROM Observation TO Memento, FROM Reflection TO Observation,
    FROM Reflection TO Reflection, FROM Reflection TO Preference, FROM Reflection TO Principle,
    FROM Reflection TO Memento, FROM Preference TO Observation, FROM Preference TO Reflection,
    FROM Preference TO Preference, FROM Preference TO Principle, FROM Preference TO Memento,
    FROM Principle TO Observation, FROM Principle TO Reflection, FROM Principle TO Preference,
    FROM Principle TO Principle, FROM Principle TO Memento, FROM Memento TO Observation, FROM Memento TO Reflection,
    FROM Memento TO Preference, FROM Memento TO Principle, FROM Memento TO Memento, `at` INT64, `status` STRING,
    `confidence` DOUBLE, `reason` STRING, `rank` INT64
);
CREATE REL TABLE `related` (
    FROM Observation TO Observation, FROM Observation TO Reflection, FROM Observation TO Preference,
    FROM Observation TO Principle, FROM Observation TO Memento, FROM Reflection TO Observation,
    FROM Reflection TO Reflection, FROM Reflection TO Preference, FROM Reflection TO Principle,
    FROM Reflection TO Memento, FROM Preference TO Observation, FROM Preference TO Reflection,
    FROM Preference TO Preference, FROM Preference TO Principle, FROM Preference TO Memento,
    FROM Principle TO Observation, FROM Principle TO Reflection, FROM Principle TO Preference,
    FROM Principle TO Principle, FROM Principle TO Memento, FROM Memento TO Observation, FROM Memento TO Reflection,
    FROM Memento TO Preference, FROM Memento TO Principle, FROM Memento TO Memento, `at` INT64, `status` STRING,
    `confidence` DOUBLE, `reason` STRING, `rank` INT64
);
CREATE REL TABLE `not_conflict` (
    FROM Observation TO Observation, FROM Observation TO Reflection, FROM Observation TO Preference,
    FROM Observation TO Principle, FROM Observation TO Memento, FROM Reflection TO Observation,
    FROM Reflection TO Reflection, FROM Reflection TO Preference, FROM Reflection TO Principle,
    FROM Reflection TO Memento, FROM Preference TO Observation, FROM Preference TO Reflection,
    FROM Preference TO Preference, FROM Preference TO Principle, FROM Preference TO Memento,
    FROM Principle TO Observation, FROM Principle TO Reflection, FROM Principle TO Preference,
    FROM Principle TO Principle, FROM Principle TO Memento, FROM Memento TO Observation, FROM Memento TO Reflection,
    FROM Memento TO Preference, FROM Memento TO Principle, FROM Memento TO Memento, `at` INT64, `status` STRING,
    `confidence` DOUBLE, `reason` STRING, `rank` INT64
);

// The store's own: how far the journal was applied, lineages by memory id, cursors, how far sessions were observed.

CREATE NODE TABLE `Meta` (`key` STRING, `number` INT64, PRIMARY KEY (`key`));
CREATE (:`Meta` {`key`: 'position', `number`: 0});
CREATE NODE TABLE `Lineage` (`key` STRING, `table` STRING, `first` INT64, `last` INT64, PRIMARY KEY (`key`));
CREATE NODE TABLE `CursorHead` (`key` STRING, `agent` STRING, `file` STRING, `move` INT64, PRIMARY KEY (`key`));
CREATE NODE TABLE `CursorMove` (
    `key` STRING, `session` STRING, `identity` STRING, `offset` INT64, `tail` STRING, `lines` INT64, `seq` INT64,
    `state` STRING, `seen` STRING, PRIMARY KEY (`key`)
);
CREATE NODE TABLE `Observed` (`key` STRING, `seq` INT64, PRIMARY KEY (`key`));
