package touchline.benchmarks.load;

import java.util.ArrayList;
import java.util.List;

/**
 * The arguments of a benchmark: {@code --options} with a value each, or without one if another
 * option or nothing follows, and the others by position. Immutable.
 */
public final class Arguments {
    private final List<String> all;
    private final List<String> positional = new ArrayList<>();

    public Arguments(List<String> all) {
        this.all = List.copyOf(all);
        for (int i = 0; i < all.size(); i++) {
            if (!all.get(i).startsWith("--")) {
                positional.add(all.get(i));
            } else if (i + 1 < all.size() && !all.get(i + 1).startsWith("--")) {
                i++;
            }
        }
    }

    /**
     * @throws NumberFormatException the argument is not a number
     */
    public int number(int index, int otherwise) {
        return index < positional.size() ? Integer.parseInt(positional.get(index)) : otherwise;
    }

    public String text(int index, String otherwise) {
        return index < positional.size() ? positional.get(index) : otherwise;
    }

    /**
     * @param name with its dashes
     * @throws NumberFormatException the argument is not a number
     */
    public int option(String name, int otherwise) {
        String text = option(name, "");
        return text.isEmpty() ? otherwise : Integer.parseInt(text);
    }

    /**
     * Whether an option is given, with or without a value.
     *
     * @param name with its dashes
     */
    public boolean has(String name) {
        return all.contains(name);
    }

    /**
     * @param name with its dashes
     */
    public String option(String name, String otherwise) {
        int at = all.indexOf(name);
        return at >= 0 && at + 1 < all.size() ? all.get(at + 1) : otherwise;
    }
}
