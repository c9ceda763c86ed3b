package touchline.api.http;

import io.helidon.http.Method;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import touchline.api.access.FrameLinks;
import touchline.api.db.Database;
import touchline.api.db.ModerationRepository;
import touchline.api.db.NewEvent;
import touchline.api.db.StreamTitles;
import touchline.api.domain.EventType;
import touchline.api.domain.ModerationRecord;
import touchline.api.domain.ModerationRecord.Decision;
import touchline.api.domain.ModerationRecord.Review;
import touchline.api.domain.Scope;

/**
 * {@code /audit/v1/records/{id}/review}: a person's decision about a moderation record. Each change
 * is stored with its event, under a lock of the record: of two reviewers one is first. Any thread.
 */
final class ReviewRoutes {
    private static final String REVIEW = "/audit/v1/records/{id}/review";
    private static final String REVIEW_AT = "review_at";
    private static final int MAX_NOTE_BYTES = 4_096;

    private final Database database;
    private final ModerationRepository records;
    private final StreamTitles titles;
    private final ModerationView view;
    private final InstantSource clock;

    ReviewRoutes(Database database, FrameLinks links, InstantSource clock) {
        this.database = database;
        this.records = new ModerationRepository(database);
        this.titles = new StreamTitles(database);
        this.view = new ModerationView(links);
        this.clock = clock;
    }

    List<ApiRoute> routes() {
        return List.of(
                ApiRoute.of(Method.PUT, REVIEW, Scope.AUDIT_WRITE, this::review),
                ApiRoute.of(Method.DELETE, REVIEW, Scope.AUDIT_WRITE, this::takeBack));
    }

    private ApiReply review(ApiRequest request) {
        long id = recordId(request);
        JsonFields body = request.body();
        body.require("decision");
        Optional<Decision> decision =
                body.constant("decision", Decision::of, Decision.values(), Decision::wireName);
        Optional<String> note = body.text("note", MAX_NOTE_BYTES);
        boolean onlyOpen = body.flag("only_open").orElse(false);
        request.problems().throwIfAny();
        Review review =
                new Review(
                        decision.orElseThrow(),
                        note.orElse(""),
                        clock.instant(),
                        request.caller().name());
        return changed(
                id,
                record -> {
                    Optional<Review> before = record.review();
                    if (onlyOpen && before.isPresent()) {
                        if (isRepeated(review, before.get())) {
                            return before;
                        }
                        throw ApiException.wrongState(decided(before.get()));
                    }
                    return Optional.of(review);
                });
    }

    /** The same request again: its first answer was lost. */
    private static boolean isRepeated(Review review, Review before) {
        return review.decision() == before.decision()
                && review.note().equals(before.note())
                && review.by().equals(before.by());
    }

    private static String decided(Review review) {
        String by = review.by().isEmpty() ? "" : " by " + review.by();
        return "already reviewed: " + review.decision().wireName() + by + " at " + review.at();
    }

    private ApiReply takeBack(ApiRequest request) {
        long id = recordId(request);
        OptionalLong at = AuditRoutes.wholeNumber(request, REVIEW_AT);
        request.problems().throwIfAny();
        return changed(
                id,
                record -> {
                    Optional<Review> before = record.review();
                    if (at.isPresent()
                            && before.isPresent()
                            && before.get().at().toEpochMilli() != at.getAsLong()) {
                        throw ApiException.wrongState(decided(before.get()));
                    }
                    return Optional.empty();
                });
    }

    /**
     * @param change the review afterwards
     */
    private ApiReply changed(long id, Function<ModerationRecord, Optional<Review>> change) {
        return database.transaction(
                () -> {
                    ModerationRecord before =
                            records.findLocked(id).orElseThrow(ReviewRoutes::noRecord);
                    Optional<Review> review = change.apply(before);
                    String title =
                            titles.of(Set.of(before.stream())).getOrDefault(before.stream(), "");
                    if (review.equals(before.review())) {
                        return ApiReply.ok(view.of(before, title));
                    }
                    ModerationRecord after = records.review(id, review).orElseThrow();
                    var shown = view.of(after, title);
                    var _ =
                            database.outbox()
                                    .append(
                                            NewEvent.of(
                                                    EventType.MODERATION_RECORD_REVIEWED,
                                                    after.stream(),
                                                    shown));
                    return ApiReply.ok(shown);
                });
    }

    private static long recordId(ApiRequest request) {
        try {
            return Long.parseLong(request.id("id", "moderation record"));
        } catch (NumberFormatException _) {
            throw noRecord();
        }
    }

    private static ApiException noRecord() {
        return ApiException.notFound("moderation record");
    }
}
