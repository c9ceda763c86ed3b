package touchline.api.scoreboard;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import touchline.api.domain.WatermarkSettings;
import touchline.media.SessionId;
import touchline.media.hub.LiveStream;
import touchline.overlay.AudioStage;
import touchline.overlay.HtmlLayer;
import touchline.overlay.OverlayLayer;
import touchline.overlay.OverlaySpec;
import touchline.overlay.stream.OverlayStream;
import touchline.overlay.stream.ProgramAudio;

/**
 * What lies over the frame of one session: a page, or a second push, which has an audio too.
 * Guarded by the lock of the {@link SessionProgram} that owns it.
 */
final class SessionScoreboard {
    private final LiveStream live;
    private final OverlayDependencies dependencies;
    private final OverlayReports reports;
    private final Supplier<Optional<LiveStream>> pushes;

    private ProgramAudio audio = new ProgramAudio(System::nanoTime, /* expectsOverlay= */ false);
    private @Nullable HtmlLayer page;
    private @Nullable OverlayStream second;
    private @Nullable SessionId attached;

    /**
     * @param pushes the scoreboard push beside the session, where one sends
     */
    SessionScoreboard(
            LiveStream live,
            OverlayDependencies dependencies,
            OverlayReports reports,
            Supplier<Optional<LiveStream>> pushes) {
        this.live = live;
        this.dependencies = dependencies;
        this.reports = reports;
        this.pushes = pushes;
    }

    /** For a new compositor, which closes it, and which is to show this. */
    AudioStage newAudio(WatermarkSettings wanted) {
        boolean comes = wanted instanceof WatermarkSettings.Stream;
        audio = new ProgramAudio(System::nanoTime, comes);
        return audio.stage();
    }

    /**
     * Shows this, or what of it has changed.
     *
     * @return new layers for the compositor; empty where those it has stay
     */
    Optional<List<OverlayLayer>> show(OverlaySpec spec) {
        return switch (spec) {
            case OverlaySpec.Html html -> showPage(html);
            case OverlaySpec.Stream stream -> showPush(stream);
        };
    }

    private Optional<List<OverlayLayer>> showPage(OverlaySpec.Html html) {
        if (page != null) {
            page.change(html);
            return Optional.empty();
        }
        clear();
        HtmlLayer shown =
                new HtmlLayer(live.stream(), html, dependencies.pages(), reports, System::nanoTime);
        page = shown;
        return Optional.of(List.of(shown));
    }

    private Optional<List<OverlayLayer>> showPush(OverlaySpec.Stream stream) {
        if (second != null) {
            second.change(stream);
            return Optional.empty();
        }
        clear();
        OverlayStream shown = new OverlayStream(live.stream(), stream, audio, System::nanoTime);
        second = shown;
        pushes.get().ifPresent(this::pushStarted);
        return Optional.of(List.of(shown.layer()));
    }

    /** A scoreboard push has begun to send; it may be shown already. */
    void pushStarted(LiveStream push) {
        if (second != null && !push.session().equals(attached)) {
            attached = push.session();
            second.attach(push.source().subscribe("scoreboard", OverlayStream.QUEUE_BYTES));
            reports.loaded();
        }
    }

    /** The encoder of the scoreboard push is gone, or is back. */
    void pushPresent(boolean present) {
        if (second == null) {
            return;
        }
        if (present) {
            reports.recovered();
        } else {
            reports.failed("the scoreboard push has stopped");
        }
    }

    /** Nothing is shown, and nothing but the main audio is heard. */
    void clear() {
        HtmlLayer oldPage = page;
        OverlayStream oldPush = second;
        page = null;
        second = null;
        attached = null;
        if (oldPage != null) {
            oldPage.close();
        }
        if (oldPush != null) {
            oldPush.close();
        }
    }
}
