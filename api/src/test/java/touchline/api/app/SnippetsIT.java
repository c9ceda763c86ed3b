package touchline.api.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The programs of docs/signed-playback.md as they stand there: each is run, and what it signs is
 * played by hls.js in Chromium and by ffmpeg. Java, Node.js and Python always run; Go and PHP where
 * they are installed, and elsewhere their programs are only read.
 */
class SnippetsIT {
    private static final Duration SOON = Duration.ofMinutes(3);

    private record Language(String fence, String file, List<String> command, boolean required) {
        @Override
        public String toString() {
            return fence;
        }
    }

    private static final List<Language> LANGUAGES =
            List.of(
                    new Language("js", "sign.mjs", List.of("node"), true),
                    new Language("python", "sign.py", List.of("python3"), true),
                    new Language("go", "sign.go", List.of("go", "run"), false),
                    new Language("java", "Token.java", List.of(java()), true),
                    new Language("php", "sign.php", List.of("php"), false));

    @TempDir private static Path folder;
    @TempDir private static Path programs;

    private static SignedStream live;
    private static JsonNode key;

    @BeforeAll
    static void start() throws Exception {
        live = SignedStream.start(folder);
        key = live.newKeyReply();
    }

    @AfterAll
    static void stop() throws Exception {
        live.close();
    }

    @TestFactory
    List<DynamicTest> program_ofThePage_signsWhatPlays() {
        return LANGUAGES.stream()
                .map(language -> DynamicTest.dynamicTest(language.fence(), () -> tryOut(language)))
                .toList();
    }

    private static void tryOut(Language language) throws Exception {
        String program = program(language);
        for (String word : List.of("RS256", "kid", "sub", "aud", "exp", "SIGNING_PRIVATE_KEY")) {
            assertTrue(program.contains(word), word);
        }
        if (!language.required() && !isInstalled(language.command().getFirst())) {
            System.out.println(language + ": not installed here, its program was only read");
            return;
        }
        String token = run(language, program);
        assertTrue(token.matches("[\\w-]+\\.[\\w-]+\\.[\\w-]+"), token);
        URI address = live.withToken(live.signed, token);
        assertEquals(200, live.status(address), () -> live.server.get(address).body());
        playInBrowser(address);
        playByFfmpeg(address);
    }

    private static String program(Language language) throws Exception {
        Path here = Path.of("").toAbsolutePath();
        Path page = here.resolve("docs/signed-playback.md");
        String text =
                Files.readString(
                        Files.exists(page) ? page : here.resolveSibling("docs/signed-playback.md"));
        Matcher block =
                Pattern.compile("```" + language.fence() + "\n(.*?)```", Pattern.DOTALL)
                        .matcher(text);
        assertTrue(block.find(), "a program in " + language);
        return block.group(1);
    }

    private static String run(Language language, String program) throws Exception {
        Path file = programs.resolve(language.file());
        Files.writeString(file, program);
        List<String> command = new ArrayList<>(language.command());
        command.add(file.toString());
        ProcessBuilder builder = new ProcessBuilder(command).directory(programs.toFile());
        builder.environment().put("SIGNING_KEY_ID", key.path("id").asText());
        builder.environment().put("SIGNING_PRIVATE_KEY", key.path("private_key").asText());
        builder.environment().put("PLAYBACK_ID", live.signed);
        Path errors = programs.resolve("errors.txt");
        Process process = builder.redirectError(errors.toFile()).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertEquals(0, process.waitFor(), () -> language + ": " + read(errors));
        return output.strip();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (java.io.IOException e) {
            return e.toString();
        }
    }

    private static void playByFfmpeg(URI address) throws Exception {
        try (Encoder player =
                Encoder.run(
                        "ffmpeg",
                        "-v",
                        "error",
                        "-xerror",
                        "-i",
                        address.toString(),
                        "-t",
                        "2",
                        "-c",
                        "copy",
                        "-f",
                        "null",
                        "-")) {
            assertEquals(0, player.await(SOON), player::output);
        }
    }

    private static void playInBrowser(URI address) throws Exception {
        try (TestBrowser browser = TestBrowser.start()) {
            browser.open(live.server.api("/").toString());
            browser.await("document.querySelector('#token')", SOON);
            browser.evaluate(
                    """
                    import('/vendor/hls.min.mjs').then(({ default: Hls }) => {
                      const video = document.createElement('video');
                      video.muted = true;
                      document.body.append(video);
                      const hls = new Hls({ enableWorker: false, lowLatencyMode: true });
                      hls.on(Hls.Events.MANIFEST_PARSED, () => video.play());
                      hls.loadSource('%s');
                      hls.attachMedia(video);
                    })"""
                            .formatted(address));
            browser.await("document.querySelector('video').currentTime > 1", SOON);
        }
    }

    @Test
    void privateKey_isReadByOpenssl() throws Exception {
        Path pem = programs.resolve("key.pem");
        Files.write(pem, java.util.Base64.getDecoder().decode(key.path("private_key").asText()));
        try (Encoder openssl =
                Encoder.run("openssl", "rsa", "-in", pem.toString(), "-check", "-noout")) {
            assertEquals(0, openssl.await(SOON), openssl::output);
            assertTrue(openssl.output().contains("RSA key ok"), openssl::output);
        }
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private static boolean isInstalled(String program) {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.of(path.split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}
