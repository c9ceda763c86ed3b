package touchline.packager.delivery;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import touchline.packager.delivery.PlaybackTarget.Item;
import touchline.packager.hls.LivePlayback;
import touchline.packager.hls.LivePlayback.PlaylistKind;
import touchline.packager.hls.MediaBody;

/**
 * Answers one connection's requests from live sessions, holding what is not there yet. Event loop
 * only.
 */
final class LiveRequests {
    /** Asks again whether a viewer may see it; answers the refusal itself, or runs the work. */
    @FunctionalInterface
    interface Recheck {
        void thenRun(Exchange exchange, Runnable work);
    }

    private final PlaybackAnswers answers;
    private final BlockingReload reloads;
    private final Recheck recheck;

    private BlockingReload.@Nullable Wait wait;

    LiveRequests(PlaybackAnswers answers, BlockingReload reloads, Recheck recheck) {
        this.answers = answers;
        this.reloads = reloads;
        this.recheck = recheck;
    }

    /** Answers now, or when what is asked for is there. */
    void answer(Exchange exchange, PlaybackDecision.Live live) {
        boolean restricted = live.restricted();
        switch (exchange.target().item()) {
            case Item.Multivariant _ -> multivariant(exchange, live);
            case Item.MediaPlaylist playlist ->
                    in(live, playlist.session(), session -> reload(exchange, restricted, session));
            case Item.InitSegment init ->
                    in(
                            live,
                            init.session(),
                            session ->
                                    media(
                                            exchange,
                                            restricted,
                                            session.initSegment(init.number())));
            case Item.Segment segment ->
                    in(
                            live,
                            segment.session(),
                            session ->
                                    media(
                                            exchange,
                                            restricted,
                                            session.segment(segment.mediaSequence())));
            case Item.Part part ->
                    in(live, part.session(), session -> part(exchange, restricted, session, part));
            case Item.Mp4 _, Item.Thumbnail _ -> answers.error(ErrorEnvelope.NOT_FOUND);
        }
    }

    private void in(PlaybackDecision.Live live, String session, Consumer<LivePlayback> then) {
        for (LivePlayback candidate : live.sessions()) {
            if (candidate.session().value().equals(session)) {
                then.accept(candidate);
                return;
            }
        }
        answers.error(ErrorEnvelope.NOT_FOUND);
    }

    /** With {@code dvr=1} it names the media playlist that reaches back to the start. */
    private void multivariant(Exchange exchange, PlaybackDecision.Live live) {
        String id = exchange.target().playbackId();
        String prefix = live.grant().map(grant -> id + "/~" + grant + '/').orElse(id + '/');
        Optional<String> text =
                live.running() && !live.sessions().isEmpty()
                        ? live.sessions().getFirst().multivariant(prefix)
                        : Optional.empty();
        if (text.isEmpty()) {
            answers.error(ErrorEnvelope.NOT_FOUND);
            return;
        }
        String shown =
                exchange.query().dvr()
                        ? text.get().replace("/media.m3u8", "/media.m3u8?dvr=1")
                        : text.get();
        answers.multivariant(exchange, live.restricted(), shown);
    }

    /** draft-pantos-hls-rfc8216bis-20, 6.2.5.2. */
    private void reload(Exchange exchange, boolean restricted, LivePlayback session) {
        PlaybackQuery query = exchange.query();
        if (query.mediaSequence().isEmpty()) {
            playlist(exchange, restricted, session, /* reloaded= */ false);
            return;
        }
        await(
                session,
                query.mediaSequence().getAsLong(),
                query.part(),
                outcome -> {
                    switch (outcome) {
                        case AVAILABLE, ENDED ->
                                afterWait(
                                        exchange,
                                        restricted,
                                        () ->
                                                playlist(
                                                        exchange,
                                                        restricted,
                                                        session,
                                                        /* reloaded= */ true));
                        case TOO_FAR_AHEAD ->
                                answers.error(
                                        ErrorEnvelope.badParameter(
                                                "_HLS_msn or _HLS_part: too far ahead"));
                        case TIMED_OUT -> answers.error(ErrorEnvelope.NO_NEW_MEDIA);
                        case FAILED -> answers.error(ErrorEnvelope.INTERNAL);
                    }
                });
    }

    /** A key can be deleted, and a token expire, while its viewer waits. */
    private void afterWait(Exchange exchange, boolean restricted, Runnable work) {
        if (restricted) {
            recheck.thenRun(exchange, work);
        } else {
            work.run();
        }
    }

    private void playlist(
            Exchange exchange, boolean restricted, LivePlayback session, boolean reloaded) {
        PlaylistKind kind =
                exchange.query().skip() ? PlaylistKind.WINDOW_DELTA : PlaylistKind.WINDOW;
        if (exchange.query().dvr()) {
            var full = session.mediaPlaylist(PlaylistKind.FULL);
            if (full.isPresent()) {
                answers.playlist(exchange, restricted, full.get(), PlaylistKind.FULL, reloaded);
                return;
            }
        }
        session.mediaPlaylist(kind)
                .ifPresentOrElse(
                        text -> answers.playlist(exchange, restricted, text, kind, reloaded),
                        () -> answers.error(ErrorEnvelope.NOT_FOUND));
    }

    /** A part that is hinted but not there yet is held like a reload (the same draft, 6.2.6). */
    private void part(Exchange exchange, boolean restricted, LivePlayback session, Item.Part part) {
        Optional<MediaBody> body = session.part(part.mediaSequence(), part.part());
        if (body.isPresent()) {
            answers.media(exchange, restricted, body.get());
            return;
        }
        await(
                session,
                part.mediaSequence(),
                OptionalInt.of(part.part()),
                outcome -> {
                    switch (outcome) {
                        case AVAILABLE ->
                                afterWait(
                                        exchange,
                                        restricted,
                                        () ->
                                                media(
                                                        exchange,
                                                        restricted,
                                                        session.part(
                                                                part.mediaSequence(),
                                                                part.part())));
                        case ENDED, TOO_FAR_AHEAD -> answers.error(ErrorEnvelope.NOT_FOUND);
                        case TIMED_OUT -> answers.error(ErrorEnvelope.NO_NEW_MEDIA);
                        case FAILED -> answers.error(ErrorEnvelope.INTERNAL);
                    }
                });
    }

    private void media(Exchange exchange, boolean restricted, Optional<MediaBody> body) {
        body.ifPresentOrElse(
                found -> answers.media(exchange, restricted, found),
                () -> answers.error(ErrorEnvelope.NOT_FOUND));
    }

    private void await(
            LivePlayback session,
            long mediaSequence,
            OptionalInt part,
            Consumer<BlockingReload.Outcome> then) {
        BlockingReload.Wait held =
                reloads.await(
                        session,
                        mediaSequence,
                        part,
                        outcome -> {
                            wait = null;
                            then.accept(outcome);
                        });
        // answered already: then the next request may be the one that is held by now
        if (held.isHeld()) {
            wait = held;
        }
    }

    /** Forgets a held request; false where none was held. */
    boolean stopWaiting() {
        if (wait == null) {
            return false;
        }
        wait.cancel();
        wait = null;
        return true;
    }
}
