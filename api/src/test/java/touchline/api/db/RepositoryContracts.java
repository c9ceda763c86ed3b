package touchline.api.db;

import org.junit.jupiter.api.Nested;

/** Contract of every repository: run once for each database. */
abstract class RepositoryContracts {
    /** The database they share; every contract empties its own tables. */
    abstract Database shared();

    @Nested
    final class Streams extends StreamRepositoryContract {
        @Override
        Database database() {
            return shared();
        }
    }

    @Nested
    final class StreamChanges extends StreamChangesContract {
        @Override
        Database database() {
            return shared();
        }
    }

    @Nested
    final class Sessions extends SessionRepositoryContract {
        @Override
        Database database() {
            return shared();
        }
    }

    @Nested
    final class Assets extends AssetRepositoryContract {
        @Override
        Database database() {
            return shared();
        }
    }

    @Nested
    final class Markers extends MarkerRepositoryContract {
        @Override
        Database database() {
            return shared();
        }
    }

    @Nested
    final class Viewers extends ViewerRepositoryContract {
        @Override
        Database database() {
            return shared();
        }
    }

    @Nested
    final class Sequences extends MediaSequencesContract {
        @Override
        Database database() {
            return shared();
        }
    }

    @Nested
    final class Tokens extends TokenRepositoryContract {
        @Override
        Database database() {
            return shared();
        }
    }

    @Nested
    final class Transcoding extends TranscodingRepositoryContract {
        @Override
        Database database() {
            return shared();
        }
    }

    @Nested
    final class Images extends ImageRepositoryContract {
        @Override
        Database database() {
            return shared();
        }
    }

    @Nested
    final class SigningKeys extends SigningKeyRepositoryContract {
        @Override
        Database database() {
            return shared();
        }
    }

    @Nested
    final class Restreams extends RestreamRepositoryContract {
        @Override
        Database database() {
            return shared();
        }
    }

    @Nested
    final class Scores extends ScoreRepositoryContract {
        @Override
        Database database() {
            return shared();
        }
    }

    @Nested
    final class WebhookUrls extends WebhookUrlContract {
        @Override
        Database database() {
            return shared();
        }
    }

    @Nested
    final class Idempotency extends IdempotencyRepositoryContract {
        @Override
        Database database() {
            return shared();
        }
    }

    @Nested
    final class Moderation extends ModerationRepositoryContract {
        @Override
        Database database() {
            return shared();
        }
    }

    @Nested
    final class Evidence extends EvidenceContract {
        @Override
        Database database() {
            return shared();
        }
    }

    @Nested
    final class AuditRuns extends AuditRunContract {
        @Override
        Database database() {
            return shared();
        }
    }

    @Nested
    final class Events extends OutboxContract {
        @Override
        Database database() {
            return shared();
        }
    }

    @Nested
    final class Webhooks extends WebhookRepositoryContract {
        @Override
        Database database() {
            return shared();
        }
    }
}
