package touchline.packager.delivery;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import touchline.packager.delivery.PlaybackTarget.Item;
import touchline.packager.hls.LivePlayback;
import touchline.packager.hls.LivePlayback.PlaylistKind;
import touchline.packager.hls.MediaBody;
import touchline.packager.hls.RenderedPlaylist;

/**
 * Answers one connection's requests to live sessions; holds requests for media that is not
 * available yet. Event loop only.
 */
final class LiveRequestHandler {
    /** Checks again whether the viewer may see it; answers a refusal itself, or runs the work. */
    @FunctionalInterface
    interface Recheck {
        void thenRun(HlsExchange exchange, Runnable work);
    }

    private final PlaybackAnswers answers;
    private final BlockingReload reloads;
    private final Recheck recheck;
    private final DeliveryCounters counters;

    private BlockingReload.@Nullable Wait wait;

    /** The playlist being rendered for this connection. */
    private @Nullable Rendering rendering;

    /** Compared by identity. */
    private static final class Rendering {
        private final Consumer<Optional<RenderedPlaylist>> then;

        Rendering(Consumer<Optional<RenderedPlaylist>> then) {
            this.then = then;
        }
    }

    LiveRequestHandler(
            PlaybackAnswers answers,
            BlockingReload reloads,
            Recheck recheck,
            DeliveryCounters counters) {
        this.answers = answers;
        this.reloads = reloads;
        this.recheck = recheck;
        this.counters = counters;
    }

    /** Answers now, or when the media is available. */
    void answer(HlsExchange exchange, PlaybackDecision.Live live) {
        boolean restricted = live.restricted();
        Item item = exchange.target().item();
        switch (item) {
            case Item.Multivariant _ -> multivariant(exchange, live);
            case Item.MediaPlaylist(String id) ->
                    in(live, id, session -> answer(exchange, restricted, session, item));
            case Item.InitSegment(String id, _) ->
                    in(live, id, session -> answer(exchange, restricted, session, item));
            case Item.Segment(String id, _) -> {
                counters.sourceRequested();
                in(live, id, session -> answer(exchange, restricted, session, item));
            }
            case Item.Part(String id, _, _) -> {
                counters.sourceRequested();
                in(live, id, session -> answer(exchange, restricted, session, item));
            }
            case Item.OfRendition(String id, String name, Item of) ->
                    in(live, id, session -> rendition(exchange, restricted, session, name, of));
            case Item.RunInit _, Item.Mp4 _, Item.Thumbnail _, Item.Chapters _ ->
                    answers.error(ErrorEnvelope.NOT_FOUND);
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

    private void rendition(
            HlsExchange exchange, boolean restricted, LivePlayback source, String name, Item item) {
        Optional<LivePlayback> found = source.rendition(name);
        if (found.isEmpty()) {
            answers.error(ErrorEnvelope.NOT_FOUND);
            return;
        }
        if (item instanceof Item.Segment || item instanceof Item.Part) {
            counters.renditionRequested(name);
        }
        answer(exchange, restricted, found.get(), item);
    }

    /**
     * @param session the source's, or a rendition's
     */
    private void answer(HlsExchange exchange, boolean restricted, LivePlayback session, Item item) {
        switch (item) {
            case Item.MediaPlaylist _ -> reload(exchange, restricted, session);
            case Item.InitSegment init ->
                    media(exchange, restricted, session.initSegment(init.number()));
            case Item.RunInit init ->
                    media(exchange, restricted, session.initSegment(init.number(), init.run()));
            case Item.Segment segment ->
                    media(exchange, restricted, session.segment(segment.mediaSequence()));
            case Item.Part part -> part(exchange, restricted, session, part);
            case Item.Multivariant _,
                    Item.Mp4 _,
                    Item.Thumbnail _,
                    Item.Chapters _,
                    Item.OfRendition _ ->
                    answers.error(ErrorEnvelope.NOT_FOUND);
        }
    }

    /** With {@code dvr=1} it names the source's media playlist from the session's start. */
    private void multivariant(HlsExchange exchange, PlaybackDecision.Live live) {
        String id = exchange.target().playbackId();
        String prefix = live.grant().map(grant -> id + "/~" + grant + '/').orElse(id + '/');
        if (!live.running() || live.sessions().isEmpty()) {
            answers.error(ErrorEnvelope.NOT_FOUND);
            return;
        }
        LivePlayback newest = live.sessions().getFirst();
        Optional<String> text =
                exchange.query().dvr()
                        ? newest.sourceMultivariant(prefix)
                                .map(all -> all.replace("/media.m3u8", "/media.m3u8?dvr=1"))
                        : newest.multivariant(prefix);
        text.ifPresentOrElse(
                shown -> answers.multivariant(exchange, live.restricted(), shown),
                () -> answers.error(ErrorEnvelope.NOT_FOUND));
    }

    /** draft-pantos-hls-rfc8216bis-20, 6.2.5.2. */
    private void reload(HlsExchange exchange, boolean restricted, LivePlayback session) {
        PlaybackQuery query = exchange.query();
        if (query.mediaSequence().isEmpty()) {
            playlist(exchange, restricted, session);
            return;
        }
        long mediaSequence = query.mediaSequence().getAsLong();
        hold(
                outcome -> {
                    switch (outcome) {
                        case AVAILABLE, ENDED ->
                                afterWait(
                                        exchange,
                                        restricted,
                                        () -> playlist(exchange, restricted, session));
                        case TOO_FAR_AHEAD ->
                                answers.error(
                                        ErrorEnvelope.badParameter(
                                                "_HLS_msn or _HLS_part: too far ahead"));
                        case TIMED_OUT -> answers.error(ErrorEnvelope.NO_NEW_MEDIA);
                        case FAILED -> answers.error(ErrorEnvelope.INTERNAL);
                    }
                },
                then -> reloads.await(session, mediaSequence, query.part(), then));
    }

    /** A key may be deleted, or a token expire, while the request waits. */
    private void afterWait(HlsExchange exchange, boolean restricted, Runnable work) {
        if (restricted) {
            recheck.thenRun(exchange, work);
        } else {
            work.run();
        }
    }

    private void playlist(HlsExchange exchange, boolean restricted, LivePlayback session) {
        PlaylistKind window =
                exchange.query().skip() ? PlaylistKind.WINDOW_DELTA : PlaylistKind.WINDOW;
        if (!exchange.query().dvr()) {
            render(session, window, text -> shown(exchange, restricted, text, window));
            return;
        }
        render(
                session,
                PlaylistKind.FULL,
                full -> {
                    if (full.isPresent()) {
                        shown(exchange, restricted, full, PlaylistKind.FULL);
                    } else {
                        render(session, window, text -> shown(exchange, restricted, text, window));
                    }
                });
    }

    private void shown(
            HlsExchange exchange,
            boolean restricted,
            Optional<RenderedPlaylist> text,
            PlaylistKind kind) {
        text.ifPresentOrElse(
                found -> answers.playlist(exchange, restricted, found, kind),
                () -> answers.error(ErrorEnvelope.NOT_FOUND));
    }

    /** Calls back at once if the playlist is rendered, otherwise later on the event loop. */
    private void render(
            LivePlayback session, PlaylistKind kind, Consumer<Optional<RenderedPlaylist>> then) {
        Rendering mine = new Rendering(then);
        rendering = mine;
        session.mediaPlaylist(kind)
                .whenComplete(
                        (text, failure) -> {
                            Runnable answer =
                                    failure == null
                                            ? () -> rendered(mine, text)
                                            : () -> notRendered(mine, failure);
                            if (reloads.executor().inEventLoop()) {
                                answer.run();
                            } else {
                                reloads.executor().execute(answer);
                            }
                        });
    }

    private void rendered(Rendering mine, Optional<RenderedPlaylist> text) {
        if (rendering == mine) {
            rendering = null;
            mine.then.accept(text);
        } else {
            // The request was cancelled: release the references.
            text.ifPresent(RenderedPlaylist::release);
        }
    }

    private void notRendered(Rendering mine, Throwable failure) {
        if (rendering == mine) {
            rendering = null;
            answers.internalError(failure);
        }
    }

    /**
     * A hinted part is held like a reload (the same draft, 6.2.6), until it is available or the
     * segment has ended without it.
     */
    private void part(
            HlsExchange exchange, boolean restricted, LivePlayback session, Item.Part part) {
        Optional<MediaBody> body = session.part(part.mediaSequence(), part.part());
        if (body.isPresent()) {
            answers.media(exchange, restricted, body.get());
            return;
        }
        hold(
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
                },
                then -> reloads.awaitPart(session, part.mediaSequence(), part.part(), then));
    }

    private void media(HlsExchange exchange, boolean restricted, Optional<MediaBody> body) {
        body.ifPresentOrElse(
                found -> answers.media(exchange, restricted, found),
                () -> answers.error(ErrorEnvelope.NOT_FOUND));
    }

    private void hold(
            Consumer<BlockingReload.Outcome> then,
            Function<Consumer<BlockingReload.Outcome>, BlockingReload.Wait> await) {
        BlockingReload.Wait held =
                await.apply(
                        outcome -> {
                            wait = null;
                            then.accept(outcome);
                        });
        // if answered already, the next request may be the one that waits now
        if (held.isHeld()) {
            wait = held;
        }
    }

    /** Cancels the waiting request; false if there is none. */
    boolean stopWaiting() {
        boolean held = wait != null || rendering != null;
        rendering = null;
        if (wait != null) {
            wait.cancel();
            wait = null;
        }
        return held;
    }
}
