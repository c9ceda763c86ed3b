package touchline.benchmarks.players;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
import touchline.benchmarks.load.Command;
import touchline.benchmarks.load.HttpConnection;
import touchline.benchmarks.load.LiveAddress;
import touchline.benchmarks.load.LocalSite;
import touchline.benchmarks.load.LowLatencyPlaylist;
import touchline.benchmarks.load.LowLatencyPlaylist.Item;
import touchline.benchmarks.load.PushMedia;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Senders;
import touchline.benchmarks.load.TouchlineServer;

/**
 * A live stream whose viewer takes each segment from another rendition than the one before. Players
 * in Chromium watch; then all segments in the window are compared, and decoded one by one, each
 * from the next rendition.
 */
public final class SwitchingLoad implements Benchmark {
    private static final long BEFORE_S = 60;
    private static final Pattern INIT = Pattern.compile("#EXT-X-MAP:URI=\"([^\"]+)\"");

    private final Duration play;
    private final String mode;
    private final LadderSource source;
    private final List<PlayerKind> kinds;
    private final Report report;
    private boolean failed;

    /**
     * Seconds of play, 300 by default; {@code --mode} {@code standard} (default) or {@code low};
     * {@code --player} {@code hls} (default), {@code shaka} or {@code none}; {@code --small 1} for
     * a source of 360p.
     */
    public SwitchingLoad(Arguments given, Report report) {
        play = Duration.ofSeconds(given.number(0, 300));
        mode = given.option("--mode", "standard");
        source = given.option("--small", 0) == 1 ? LadderSource.SMALL : LadderSource.LARGE;
        String player = given.option("--player", PlayerKind.HLS_JS.argument());
        kinds =
                List.of(PlayerKind.HLS_JS, PlayerKind.SHAKA).stream()
                        .filter(each -> each.argument().equals(player))
                        .toList();
        this.report = report;
    }

    /** Returns 1 if renditions differ, or a frame was shown twice or left out. */
    @Override
    public int run() throws Exception {
        PushMedia media = source.source().media(play.toSeconds() + BEFORE_S);
        String window = play.toSeconds() + BEFORE_S + "s";
        try (TouchlineServer server =
                        TouchlineServer.startFromClassPath(
                                // The players need the processors too.
                                Map.of(
                                        "TOUCHLINE_PACKAGER_WINDOW",
                                        window,
                                        "TOUCHLINE_ENCODER_SPEED",
                                        "ultrafast"));
                LocalSite site = PlayerSite.open()) {
            LiveAddress address = server.stream(source.settings(mode));
            try (Senders sender = Senders.start(List.of(address), media)) {
                RunningRenditions.await(address, LadderSource.RENDITIONS);
                if (kinds.isEmpty()) {
                    Thread.sleep(play);
                } else {
                    play(site, kinds.getFirst(), address, sender);
                }
                sender.requireAlive();
                compare(address);
            }
        }
        return failed ? 1 : 0;
    }

    private void play(LocalSite site, PlayerKind kind, LiveAddress address, Senders sender)
            throws Exception {
        WebPlayer player =
                WebPlayer.start(
                        site,
                        kind,
                        address.watch(),
                        sender.startEpochMs(),
                        source.source(),
                        /* switching= */ true);
        try {
            player.begin();
            player.watch();
            Thread.sleep(play);
            PlayerResult result = player.result();
            WatchedFrames watched = player.watched();
            report.table(
                            "switching",
                            "mode | player | seconds | frames shown | changes | waits | waited s |"
                                    + " frames twice or left out | errors")
                    .row(
                            mode,
                            result.player(),
                            play.toSeconds(),
                            watched.count(),
                            Math.max(0, watched.widths().size() - 1),
                            watched.waits().size(),
                            watched.waitedS(),
                            watched.breaks().size(),
                            result.errors().size());
            report.note("  waits %s, breaks %s", watched.waits(), watched.breaks());
            result.errors().forEach(error -> report.note("  %s", error));
            failed |=
                    watched.count() == 0
                            || !watched.breaks().isEmpty()
                            || !result.errors().isEmpty();
        } finally {
            player.stop();
        }
    }

    /**
     * @param init its address
     */
    private record Media(List<Item> segments, URI init) {}

    private void compare(LiveAddress address) throws Exception {
        try (HttpConnection connection = HttpConnection.open(address.watch())) {
            List<Media> all = new ArrayList<>();
            for (String line : connection.get(address.watch()).text().lines().toList()) {
                if (!line.isEmpty() && !line.startsWith("#")) {
                    all.add(media(connection, address.watch().resolve(line)));
                }
            }
            TreeSet<Long> common = new TreeSet<>(numbers(all.getFirst()));
            all.forEach(each -> common.retainAll(numbers(each)));
            List<List<Item>> listed =
                    all.stream()
                            .map(
                                    each ->
                                            each.segments().stream()
                                                    .filter(
                                                            item ->
                                                                    common.contains(
                                                                            item.mediaSequence()))
                                                    .toList())
                            .toList();
            int different = 0;
            int warnings = 0;
            int keyless = 0;
            for (int i = 0; i < common.size(); i++) {
                int at = i;
                different +=
                        listed.stream().map(each -> each.get(at).seconds()).distinct().count() == 1
                                ? 0
                                : 1;
                int rendition = i % all.size();
                Path file = Files.createTempFile("touchline-bench", ".mp4");
                try {
                    write(
                            connection,
                            all.get(rendition).init(),
                            listed.get(rendition).get(i),
                            file);
                    warnings += decodes(file) ? 0 : 1;
                    keyless += startsWithKeyFrame(file) ? 0 : 1;
                } finally {
                    Files.delete(file);
                }
            }
            report.table(
                            "segments",
                            "mode | renditions | segments, each | seconds | other durations |"
                                    + " decoded with a warning | without a key frame first")
                    .row(
                            mode,
                            all.size(),
                            common.size(),
                            listed.getFirst().stream().mapToDouble(Item::seconds).sum(),
                            different,
                            warnings,
                            keyless);
            failed |= common.isEmpty() || different + warnings + keyless > 0;
        }
    }

    private static List<Long> numbers(Media media) {
        return media.segments().stream().map(Item::mediaSequence).toList();
    }

    private static Media media(HttpConnection connection, URI playlist) throws IOException {
        String text = connection.get(playlist).text();
        Matcher init = INIT.matcher(text);
        if (!init.find()) {
            throw new IOException("no EXT-X-MAP in " + playlist);
        }
        return new Media(
                LowLatencyPlaylist.parse(text, playlist).segments(),
                playlist.resolve(init.group(1)));
    }

    private static void write(HttpConnection connection, URI init, Item segment, Path file)
            throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            Channels.newChannel(out).write(connection.body(init));
            Channels.newChannel(out).write(connection.body(segment.address()));
        }
    }

    private static boolean decodes(Path file) throws IOException, InterruptedException {
        Command.Result result =
                Command.run(Command.words("ffmpeg -v warning -i %s -f null -", file));
        return result.exit() == 0 && result.errors().isEmpty();
    }

    private static boolean startsWithKeyFrame(Path file) throws IOException, InterruptedException {
        return Command.require(
                        Command.words(
                                "ffprobe -v error -select_streams v -show_entries packet=flags"
                                        + " -of csv=p=0 -read_intervals %%+#1 %s",
                                file))
                .text()
                .startsWith("K");
    }
}
