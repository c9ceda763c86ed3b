package touchline.benchmarks.players;

import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import touchline.benchmarks.load.Command;

/** How a program is started so that it writes each frame to a pipe when it is shown. Stateless. */
final class PlayerProgram {
    /** VLC does not run as root. */
    private static final String UNPRIVILEGED =
            "chmod 666 /dev/stdout && HOME=/tmp exec setpriv --reuid=65534 --regid=65534"
                    + " --clear-groups \"$@\"";

    private PlayerProgram() {}

    static boolean isInstalled(PlayerKind kind) {
        String program =
                switch (kind) {
                    case FFMPEG -> "ffmpeg";
                    case GSTREAMER -> "gst-launch-1.0";
                    case MPV -> "mpv";
                    case VLC -> "vlc";
                    case HLS_JS, PAGES, SHAKA, VIDEO_JS, CHROMIUM -> "chromium";
                };
        return Stream.of(System.getenv().getOrDefault("PATH", "/usr/bin").split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /**
     * @param log for programs that write one beside standard error
     */
    static List<String> command(PlayerKind kind, URI address, Path log) {
        return switch (kind) {
            case FFMPEG -> ffmpeg(address);
            case GSTREAMER -> gstreamer(address);
            case MPV -> mpv(address, log);
            case VLC -> vlc(address);
            case HLS_JS, PAGES, SHAKA, VIDEO_JS, CHROMIUM ->
                    throw new IllegalArgumentException(kind.toString());
        };
    }

    static FrameNumbers frames(PlayerKind kind, InputStream output) {
        return switch (kind) {
            case MPV -> FrameNumbers.ofTerminal(output);
            case VLC -> FrameNumbers.ofYuv4Mpeg(output);
            case FFMPEG, GSTREAMER, HLS_JS, PAGES, SHAKA, VIDEO_JS, CHROMIUM ->
                    FrameNumbers.ofGrey(output);
        };
    }

    /** Whether a line of the log is an error. */
    static boolean isError(PlayerKind kind, String line) {
        return switch (kind) {
            case MPV -> line.contains("][e][") || line.contains("][f][");
            // Not those about the desktop and the output.
            case VLC ->
                    line.contains(" demux error: ")
                            || line.contains(" stream error: ")
                            || line.contains("error while decoding")
                            || line.contains("concealing");
            case FFMPEG, GSTREAMER, HLS_JS, PAGES, SHAKA, VIDEO_JS, CHROMIUM -> true;
        };
    }

    /** It decodes as fast as media comes; {@link FramePace} shows each frame at its time. */
    private static List<String> ffmpeg(URI address) {
        return Command.words(
                "ffmpeg -v error -i %s -map 0:v:0 -vf scale=%d:%d:flags=area,format=gray"
                        + " -fps_mode passthrough -f rawvideo -",
                address, FrameNumbers.GREY_WIDTH, FrameNumbers.GREY_HEIGHT);
    }

    private static List<String> gstreamer(URI address) {
        return Command.words(
                "gst-launch-1.0 -q uridecodebin3 name=d uri=%s d. ! video/x-raw ! videoconvert"
                        + " ! videoscale method=4-tap ! video/x-raw,format=GRAY8,width=%d,height=%d"
                        + " ! fdsink fd=1 sync=true d. ! audio/x-raw ! fakesink sync=true",
                address, FrameNumbers.GREY_WIDTH, FrameNumbers.GREY_HEIGHT);
    }

    /** The upper rows as text in colours. */
    private static List<String> mpv(URI address, Path log) {
        return Command.words(
                "mpv --no-config --really-quiet --log-file=%s --ao=null --vo=tct"
                        + " --vo-tct-algo=plain --vo-tct-width=%2$d --vo-tct-height=4"
                        + " --no-keepaspect"
                        + " --vf=lavfi=[crop=iw:ih*4/%3$d:0:0,scale=%2$d:4:flags=area,setsar=1]"
                        + " %4$s",
                log, FrameNumbers.GREY_WIDTH, FrameNumbers.GREY_HEIGHT, address);
    }

    /** Where a return of the encoder ends play, it opens the address again. */
    private static List<String> vlc(URI address) {
        List<String> command = new ArrayList<>();
        if ("root".equals(System.getProperty("user.name"))) {
            command.addAll(List.of("sh", "-c", UNPRIVILEGED, "sh"));
        }
        command.addAll(
                Command.words(
                        "vlc -I dummy --repeat --aout=adummy --vout=yuv --yuv-yuv4mpeg2"
                                + " --yuv-file=/dev/stdout %s",
                        address));
        return command;
    }
}
